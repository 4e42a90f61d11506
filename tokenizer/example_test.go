package tokenizer_test

import (
	"fmt"

	"decodingplayground/tokenizer"
)

func Example() {
	tok := tokenizer.GPT2()
	ids := tok.Encode("Hello world 👋")
	fmt.Println(ids)

	var s tokenizer.Stream
	for _, id := range ids {
		text := s.Add(tok.Piece(id))
		fmt.Printf("%q [% x]\n", text, s.Pending())
	}
	// Output:
	// [15496 995 50169 233]
	// "Hello" []
	// " world" []
	// " " [f0 9f 91]
	// "👋" []
}
