package licence

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Takes, extends and gives back a seat at SERVER with LICENCE_KEY, and prints what it hears.
func TestOnline(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("JWKS"))
	var jwks struct{ Keys []Key }
	if err != nil || json.Unmarshal(text, &jwks) != nil {
		t.Skip("no installation to ask")
	}
	ask := func(letter string, keys []Key, requires ...string) Answer {
		answer, err := Check(Question{Server: os.Getenv("SERVER"), LicenceKey: os.Getenv("LICENCE_KEY"), Keys: keys,
			Fingerprint: strings.Repeat(letter, 64), Requires: requires})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	release := func(letter string) bool {
		held, err := Release(Question{Server: os.Getenv("SERVER"), LicenceKey: os.Getenv("LICENCE_KEY"), Fingerprint: strings.Repeat(letter, 64)})
		if err != nil {
			t.Fatal(err)
		}
		return held
	}
	answer := ask("a", jwks.Keys, "größe")
	fmt.Println(answer.Code, answer.Lease.LastsS, answer.Lease.RenewInS)
	fmt.Println(ask("b", jwks.Keys).Code)
	fmt.Println(release("a"), ask("b", jwks.Keys).Code)
	fmt.Println(ask("b", []Key{}).Code)
	fmt.Println(release("b"), release("b"))
}
