package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"
)

func isGenuine(secret, id, timestamp, signature string, body []byte) bool {
	moment, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(moment, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	sum := hmac.New(sha256.New, key)
	sum.Write([]byte(id + "." + timestamp + "."))
	sum.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(sum.Sum(nil))
	for _, given := range strings.Split(signature, " ") {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	body, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if !isGenuine(os.Getenv("WEBHOOK_SECRET"), os.Getenv("WEBHOOK_ID"),
		os.Getenv("WEBHOOK_TIMESTAMP"), os.Getenv("WEBHOOK_SIGNATURE"), body) {
		log.Fatal("refused")
	}
	fmt.Println("genuine")
}
