package main

import (
	"fmt"
	"strings"
)

// The linker keeps what a program could call; it can not know that the runtime's switches
// for tracing, profiling and debugging stay off: they are set by packages that the program
// does not import, or by GODEBUG, of which a browser has none. unreach makes one instruction
// of the body of each such function: "unreachable". Nothing moves, and a function that is
// called after all ends the program with its own place in the message, which the symbol
// file names. What asks whether a switch is on (traceEnabled, traceAcquire, ok) stays.
//
// Measured with brotli 11: 13.4 KB (1,744,337 to 1,730,889 bytes) for the tracer and GODEBUG,
// 18.2 KB (1,634,323 to 1,616,098) for what else stands below.

// unreached are the functions, by the beginnings of their names, and why nothing calls them.
var unreached = []struct{ begin, because string }{
	{"runtime.traceAcquireEnabled", tracing},
	{"runtime.traceAdvance", tracing},
	{"runtime.traceBufFlush", tracing},
	{"runtime.traceEventWriter.", tracing},
	{"runtime.traceExpWriter.", tracing},
	{"runtime.traceLocker.", tracing},
	{"runtime.traceReadCPU", tracing},
	{"runtime.traceRegisterLabelsAndReasons", tracing},
	{"runtime.traceStack", tracing},
	{"runtime.traceStopReadCPU", tracing},
	{"runtime.traceSyncBatch", tracing},
	{"runtime.traceWriter.", tracing},
	{"runtime.makeTraceFrame", tracing},
	{"runtime.startPCForTrace", tracing},
	{"runtime.goStatusToTraceGoStatus", tracing},
	{"runtime.dumpStacksRec", tracing},
	{"runtime.dumpTypesRec", tracing},
	{"runtime.fpTracebackPartialExpand", tracing},
	{"runtime.(*traceBuf).", tracing},
	{"runtime.(*traceMap).", tracing},
	{"runtime.(*traceRegionAlloc).", tracing},
	{"runtime.(*traceStackTable).", tracing},
	{"runtime.(*traceStringTable).", tracing},
	{"runtime.(*traceTypeTable).", tracing},
	{"runtime.(*traceAdvancerState).", tracing},
	{"runtime.(*profBuf).", "the profiler of processor time is never started"},
	{"runtime.initMetrics", "nothing reads runtime/metrics, and no setting of GODEBUG is another than its default"},
	{"runtime.(*metricValue).", "nothing reads runtime/metrics"},
	{"runtime.schedtrace", godebug},
	{"runtime.dumpScanStats", godebug},
	{"runtime.checkFinalizersAndCleanups", godebug},
	{"runtime.printScavTrace", godebug},
	{"internal/bisect.", godebug},
	{"runtime.setCheckmark", godebug},
	{"runtime.printAncestorTraceback", godebug},
	{"runtime.fpunwindExpand", tracing},
	{"runtime.saveblockevent", profiling},
	{"runtime.doRecordGoroutineProfile", profiling},
	{"runtime.typesEqual", "a program is one module: types of two are never compared"},
	{"runtime.printOneCgoTraceback", cgo},
	{"runtime.expandCgoFrames", cgo},
	{"runtime.oneNewExtraM", cgo},
	{"runtime.preemptPark", signals},
	{"runtime.scanConservative", signals},
	{"runtime.(*mspan).setUserArenaChunkToFault", "nothing asks for an arena of its own"},
	{"reflect.makeMethodValue", methods},
	{"reflect.callMethod", methods},
	{"reflect.funcLayout", methods},
	{"reflect.newAbiDesc", methods},
	{"reflect.(*abiSeq).", methods},
	{"reflect.addTypeBits", methods},
	{"reflect.storeRcvr", methods},
	{"time.(*Time).Unmarshal", times},
	{"time.(*Time).Marshal", times},
	{"time.(*Time).GoString", times},
	{"time.Time.Marshal", times},
	{"time.Time.GoString", times},
	{"time.Time.appendStrictRFC3339", times},
	{"time.Time.appendTo", times},
	{"time.parse", times},
	{"time.getnum", times},
	{"time.leadingInt", times},
	{"time.newParseError", times},
	{"time.(*ParseError).", times},
	{"time.quote", times},
	{"time.tzset", "a browser's zone is one distance from UTC (zoneinfo_js.go)"},
	{"time.tzrule", "a browser's zone is one distance from UTC (zoneinfo_js.go)"},
	{"os.Open", files},
	{"os.open", files},
	{"os.Stat", files},
	{"os.stat", files},
	{"os.chmod", files},
	{"os.(*File).ReadAt", files},
	{"os.(*File).pread", files},
	{"os.fillFileStatFromSys", files},
	{"internal/poll.(*FD).Pread", files},
	{"syscall.Open", files},
	{"syscall.Stat", files},
	{"syscall.setStat", files},
	{"syscall.Chmod", files},
	{"syscall.Pread", files},
}

const (
	tracing = "the tracer is never started: nothing imports runtime/trace"
	godebug = "only a variable GODEBUG asks for it"

	profiling = "nothing profiles: no runtime/pprof"
	cgo       = "there is no C in a browser"
	signals   = "one thread without signals stops goroutines where they ask for it only"
	methods   = "nothing asks reflect for a method: no Value.Method, no MethodByName"
	times     = "nothing reads a time from text, or puts one into JSON"
	files     = "a browser has no files; what is written is lines for its console"
)

// unless names the functions by which a program would do what a reason says that it does not.
var unless = map[string][]string{
	tracing:   {"runtime/trace.Start"},
	profiling: {"runtime/pprof.StartCPUProfile", "runtime.MemProfile", "runtime.SetBlockProfileRate", "runtime.SetMutexProfileFraction"},
	methods:   {"reflect.Value.Method", "reflect.Value.MethodByName", "reflect.MakeFunc", "reflect.Value.Call"},
	times:     {"time.ParseInLocation"}, // and see TestNoTimes
	files:     {"os.ReadFile", "os.Create", "os.ReadDir"},
}

// reached are exceptions: they ask whether something is on.
var reached = map[string]bool{"runtime.traceLocker.ok": true}

// trap is the body of a function that nothing calls: no locals, unreachable, end.
var trap = []byte{0, 0, 0x0b}

// isUnreached says whether nothing calls the function of that name.
func isUnreached(name string) bool {
	if reached[name] {
		return false
	}
	for _, u := range unreached {
		if strings.HasPrefix(name, u.begin) {
			return true
		}
	}
	return false
}

// unreach gives the module's functions that nothing calls the body trap; known are the
// functions in the order of the code section.
//
// An error says which function of the program speaks against a reason.
func (m *module) unreach(known []symbol) error {
	has := map[string]bool{}
	for _, f := range known {
		has[f.name] = true
	}
	for because, names := range unless {
		for _, name := range names {
			if has[name] {
				return fmt.Errorf("the program has %s, but unreached.go holds that %s", name, because)
			}
		}
	}
	count, err := m.rewrite(func(i uint64, body []byte) []byte {
		if i < uint64(len(known)) && isUnreached(known[i].name) {
			return trap
		}
		return body
	})
	if err == nil && count != uint64(len(known)) {
		err = fmt.Errorf("the program has %d functions, its tables %d", count, len(known))
	}
	return err
}
