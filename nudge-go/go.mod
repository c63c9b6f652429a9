module github.com/your-account/nudge/nudge-go

go 1.24
