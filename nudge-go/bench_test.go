package nudge

import "testing"

// The table beside C is in internal/bench; these are for working on the code.

const benchedAnswer = `{"component":"service-0001","key":"task-07","hint":{"value":"docker compose -f deploy/service-0001.yml build task-07 --pull --progress=plain e0","meta":{"reason":"the image of step 228 is rebuilt whenever its base changes","tags":["build","rare-28"],"priority":9,"confidence":0.8,"scope":{"cwd_glob":["**/service-0001*"],"branch":["dev"],"os":["linux"]},"source":"user","added_by":"agent:bench"},"version":1,"created_at":"2025-11-04T10:00:00.000Z","updated_at":"2025-11-04T10:00:00.000Z","use_count":0},"match_explain":{"matched":true,"score":0.54,"reasons":["cwd matched **/service-0001*","branch=dev allowed","os=linux allowed"],"parts":{"frecency":0.0,"priority":0.18,"confidence":0.16,"specificity":0.1,"recency":0.1}}}`

func BenchmarkReadHintMatch(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(benchedAnswer)))
	for i := 0; i < b.N; i++ {
		var found HintMatch
		r := reader{text: benchedAnswer}
		found.read(&r)
		if err := r.end(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteGetHint(b *testing.B) {
	b.ReportAllocs()
	request := GetHint{Component: "service-0001", Key: "task-07", Context: Context{Cwd: "/work/platform/service-0001", Branch: "dev", OS: Linux}}
	for i := 0; i < b.N; i++ {
		w := newWriter()
		request.write(w)
		w.free()
	}
}

func BenchmarkGetHint(b *testing.B) {
	store, err := New(Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	here, err := Prepare(Context{Cwd: "/work/platform/service-0001", Branch: "dev", OS: Linux})
	if err != nil {
		b.Fatal(err)
	}
	defer here.Close()
	_, err = store.SetHint(SetHint{
		Component: "service-0001", Key: "task-07", Value: Text("docker compose -f deploy/service-0001.yml build task-07 --pull --progress=plain e0"),
		Meta: MetaPatch{
			Reason: "the image of step 228 is rebuilt whenever its base changes", Tags: []string{"build", "rare-28"}, Priority: 9,
			Confidence: Ptr(0.8), AddedBy: "agent:bench",
			Scope: &Scope{CwdGlob: []string{"**/service-0001*"}, Branch: []string{"dev"}, OS: []OS{Linux}},
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if _, err := store.GetHint(GetHint{Component: "service-0001", Key: "task-07", Context: here}); err != nil {
			b.Fatal(err)
		}
	}
}
