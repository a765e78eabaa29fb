package langchaingo_test

import (
	"testing"

	"langchaingo"
	"memrace/stress"
	"memrace/stress/workload"
)

func TestHoldsChat(t *testing.T) {
	stress.Run(t, langchaingo.Config{}.Open, stress.Config{Store: "langchaingo", Profile: "chat"})
}

func TestHoldsRegister(t *testing.T) {
	stress.Run(t, langchaingo.Config{}.Open, stress.Config{Store: "langchaingo", Profile: "hot"})
}

// What TestFaultSetNothing does, but for SetMessages(nil).
func TestHoldsClear(t *testing.T) {
	open := langchaingo.Config{AddOnly: true, Connections: 1}.Open
	stress.Run(t, open, stress.Config{
		Store: "langchaingo", Profile: "hot", Ops: 1000,
		Mix: workload.Mix{Upsert: 60, Get: 39, Delete: 1},
	})
}

// What TestFaultInMemory does, but for the number of connections.
func TestHoldsInMemory(t *testing.T) {
	open := langchaingo.Config{Address: ":memory:", Connections: 1}.Open
	stress.Run(t, open, stress.Config{
		Store: "langchaingo", Profile: "chat", Clients: 32, Ops: 12000, Volatile: true,
	})
}

// SetMessages(nil) of one session, and messages of others over the same connection.
func TestFaultSetNothing(t *testing.T) {
	open := langchaingo.Config{AddOnly: true, SetNothing: true, Connections: 1}.Open
	stress.Run(t, open, stress.Config{
		Store: "langchaingo", Profile: "hot", Ops: 1000,
		Mix: workload.Mix{Upsert: 60, Get: 39, Delete: 1},
	})
}

// The same with as many connections as database/sql likes to open: the others are locked out.
func TestFaultSetNothingPool(t *testing.T) {
	open := langchaingo.Config{AddOnly: true, SetNothing: true}.Open
	stress.Run(t, open, stress.Config{
		Store: "langchaingo", Profile: "hot", Ops: 200,
		Mix: workload.Mix{Upsert: 60, Get: 39, Delete: 1},
	})
}

// The address that a history has if it is given none.
func TestFaultInMemory(t *testing.T) {
	open := langchaingo.Config{Address: ":memory:"}.Open
	stress.Run(t, open, stress.Config{
		Store: "langchaingo", Profile: "chat", Clients: 32, Ops: 12000, Volatile: true,
	})
}
