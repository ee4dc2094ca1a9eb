package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"hostdesk/licence"
)

//go:embed jwks.json
var jwks []byte // The operator's keys, which you ship with your program.

func main() {
	var operator struct{ Keys []licence.Key }
	machine, _ := os.ReadFile("/etc/machine-id")
	unread := json.Unmarshal(jwks, &operator)
	question := licence.Question{Server: "https://account.example.com", Product: "backup-agent", Keys: operator.Keys, LicenceKey: os.Getenv("LICENCE_KEY"),
		Fingerprint: fmt.Sprintf("%x", sha256.Sum256(append(machine, os.Getenv("LICENCE_KEY")...)))}
	answer, err := licence.Check(question)
	if unread != nil || err != nil || !answer.Valid {
		log.Fatal("no licence: ", answer.Code, " ", err)
	}
	defer licence.Release(question)
	go hold(question, answer.Lease)
	fmt.Println("licensed:", *answer.Edition) // Your program begins here.
}

func hold(question licence.Question, lease *licence.Lease) {
	for last := time.Now(); time.Since(last).Seconds() < lease.LastsS; time.Sleep(time.Duration(lease.RenewInS/2) * time.Second) {
		if answer, err := licence.Check(question); err == nil && answer.Valid {
			lease, last = answer.Lease, time.Now()
		}
	}
	log.Fatal("the seat is lost")
}
