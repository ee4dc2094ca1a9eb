package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"hostdesk"
)

func main() {
	client, err := hostdesk.NewClientWithResponses(os.Getenv("HOSTDESK_URL"))
	if err != nil {
		log.Fatal(err)
	}
	limit := int32(100)
	signed := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+os.Getenv("HOSTDESK_TOKEN"))
		return nil
	}
	page, err := client.ListHostsWithResponse(context.Background(), &hostdesk.ListHostsParams{Limit: &limit}, signed)
	if err != nil {
		log.Fatal(err)
	}
	if page.JSON200 == nil {
		log.Fatal(page.Status())
	}
	for _, host := range page.JSON200.Items {
		ipv4 := "-"
		if host.Ipv4 != nil {
			ipv4 = *host.Ipv4
		}
		fmt.Println(host.Id, host.Name, ipv4)
	}
}
