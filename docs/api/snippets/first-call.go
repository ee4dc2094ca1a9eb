package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	request, err := http.NewRequest("GET", os.Getenv("HOSTDESK_URL")+"/api/hosts/?limit=5", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("authorization", "Bearer "+os.Getenv("HOSTDESK_TOKEN"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
	var page struct{ Items []struct{ Name, Ipv4 string } }
	if err := json.NewDecoder(response.Body).Decode(&page); err != nil {
		log.Fatal(err)
	}
	for _, host := range page.Items {
		fmt.Println(host.Name, host.Ipv4)
	}
}
