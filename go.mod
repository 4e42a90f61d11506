module decodingplayground

go 1.27.3
