module hostdesk/licence

go 1.19
