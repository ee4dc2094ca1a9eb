import os
from openapi_client import ApiClient, Configuration
from openapi_client.api.servers_api import ServersApi

configuration = Configuration(host=os.environ['HOSTDESK_URL'], access_token=os.environ['HOSTDESK_TOKEN'])
with ApiClient(configuration) as client:
    for host in ServersApi(client).list_hosts(limit=100).items:
        print(host.id, host.name, host.ipv4 or '-')
