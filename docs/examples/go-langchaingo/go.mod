module langchaingo

go 1.26.0

require (
	github.com/tmc/langchaingo v0.1.14
	memrace v0.0.0
)

require (
	github.com/dlclark/regexp2 v1.10.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/mattn/go-sqlite3 v1.14.53 // indirect
	github.com/pkoukk/tiktoken-go v0.1.6 // indirect
	golang.org/x/sync v0.25.0 // indirect
)

replace memrace => ../../..
