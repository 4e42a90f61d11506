module decodingplayground

go 1.27.3

require (
	github.com/andybalholm/brotli v1.3.0
	github.com/go-echarts/go-echarts/v2 v2.6.7
	github.com/norunners/vert v0.0.0-20221203075838-106a353d42dd
)

ignore (
	./bin
	./dist
	./node_modules
)
