package licence

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Question asks the installation at Server (https://…) by licence key, for software that floats or has no agent. With the operator's Keys
// an answer is valid only if a document with their signature answers this very question; without them HTTPS alone proves it.
// Fingerprint tells machines apart: 64 hexadecimal digits that stay the same.
type Question struct {
	Server      string   `json:"-"`
	Keys        []Key    `json:"-"`
	LicenceKey  string   `json:"licence_key"`
	Fingerprint string   `json:"fingerprint,omitempty"`
	Boot        string   `json:"boot,omitempty"`
	Product     string   `json:"product,omitempty"`
	Hostname    string   `json:"hostname,omitempty"`
	IPv4        string   `json:"ipv4,omitempty"`
	IPv6        string   `json:"ipv6,omitempty"`
	Requires    []string `json:"entitlements,omitempty"`
	Nonce       string   `json:"nonce,omitempty"`
}

// Lease is the seat of a floating licence. The seconds count from the answer: the clock of this machine may be wrong.
type Lease struct {
	Until    string  `json:"until"`
	RenewAt  string  `json:"renew_at"`
	LastsS   float64 `json:"lasts_s"`
	RenewInS float64 `json:"renew_in_s"`
}

// Answer has the Code valid, why not as the installation says it, or, if the proof fails, unproven or a reason of Judge.
type Answer struct {
	Valid        bool           `json:"valid"`
	Code         string         `json:"code"`
	Edition      *string        `json:"edition"`
	Entitlements map[string]any `json:"entitlements"`
	Lease        *Lease         `json:"lease"`
	Document     *string        `json:"document"`
}

var client = http.Client{Timeout: 10 * time.Second}

// Check says if the licence counts now; it takes a seat of a floating one, or extends it.
func Check(question Question) (answer Answer, err error) {
	random := make([]byte, 16)
	if _, err = rand.Read(random); err != nil {
		return answer, err
	}
	question.Nonce = base64.RawURLEncoding.EncodeToString(random)
	if err = send(question, "validate", &answer); err != nil || !answer.Valid || question.Keys == nil {
		return answer, err
	}
	code, lasts := proof(answer, question)
	if answer.Lease != nil && answer.Lease.LastsS > lasts {
		answer.Lease.LastsS = lasts
	}
	if code != "valid" {
		answer.Valid, answer.Code, answer.Lease = false, code, nil
	}
	return answer, nil
}

// Release gives back the seat; true if the machine held one.
func Release(question Question) (bool, error) {
	var answer struct{ Released bool }
	only := Question{Server: question.Server, LicenceKey: question.LicenceKey, Fingerprint: question.Fingerprint, Boot: question.Boot}
	err := send(only, "release", &answer)
	return answer.Released, err
}

// proof judges at the time of the document, which is as old as the question.
func proof(answer Answer, question Question) (code string, lasts float64) {
	if answer.Document == nil || strings.Count(*answer.Document, ".") != 2 {
		return "unproven", 0
	}
	claims := objectIn(strings.Split(*answer.Document, ".")[1])
	if claims["nonce"] != question.Nonce {
		return "unproven", 0
	}
	judgement := Judge(*answer.Document, Expected{Keys: question.Keys, At: number(claims["iat"]), Fingerprint: question.Fingerprint,
		Product: question.Product, Requires: question.Requires})
	return judgement.Reason, number(claims["exp"]) - number(claims["iat"])
}

func send(question Question, path string, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	reply, err := client.Post(strings.TrimSuffix(question.Server, "/")+"/api/licences/"+path+"/", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("the installation answered %d", reply.StatusCode)
	}
	return json.NewDecoder(reply.Body).Decode(answer)
}
