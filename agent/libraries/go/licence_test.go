package licence

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
)

// The shared cases, or those of the file VECTORS.
func TestVectors(t *testing.T) {
	var vectors struct {
		Keys  []Key
		Cases []struct {
			Name, Document string
			Expected       struct {
				At                   float64
				Revocations          *string
				LeastSeq             float64 `json:"least_seq"`
				IPv4, IPv6, Requires []string
				Fingerprint, Issuer  string
				Product              string
				LicenceKey           string `json:"licence_key"`
			}
			Answer Judgement
		}
	}
	file := os.Getenv("VECTORS")
	if file == "" {
		file = "../../vectors.json"
	}
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &vectors) != nil {
		t.Fatal("the cases cannot be read")
	}
	wrong := 0
	for _, one := range vectors.Cases {
		e := one.Expected
		got := Judge(one.Document, Expected{Keys: vectors.Keys, Revocations: e.Revocations, LeastSeq: e.LeastSeq, At: e.At, IPv4: e.IPv4,
			IPv6: e.IPv6, Fingerprint: e.Fingerprint, LicenceKey: e.LicenceKey, Issuer: e.Issuer, Product: e.Product, Requires: e.Requires})
		if !reflect.DeepEqual(got, one.Answer) {
			wrong++
			t.Errorf("%s: expected %+v, got %+v", one.Name, one.Answer, got)
		}
	}
	fmt.Printf("%d of %d\n", len(vectors.Cases)-wrong, len(vectors.Cases))
}
