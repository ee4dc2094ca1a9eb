package main

import (
	"context"
	"fmt"
	"log"
	"os"

	hostdesk "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := hostdesk.NewConfiguration()
	configuration.Servers = hostdesk.ServerConfigurations{{URL: os.Getenv("HOSTDESK_URL")}}
	client := hostdesk.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), hostdesk.ContextAccessToken, os.Getenv("HOSTDESK_TOKEN"))
	page, _, err := client.ServersAPI.ListHosts(ctx).Limit(100).Execute()
	if err != nil {
		log.Fatal(err)
	}
	for _, host := range page.Items {
		ipv4 := host.GetIpv4()
		if ipv4 == "" {
			ipv4 = "-"
		}
		fmt.Println(host.Id, host.Name, ipv4)
	}
}
