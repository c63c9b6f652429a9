package nudge

// The operations, by their names on the wire without the prefix.
const (
	opSetHint        operation = "set_hint\x00"
	opGetHint        operation = "get_hint\x00"
	opQuery          operation = "query\x00"
	opDeleteHint     operation = "delete_hint\x00"
	opListComponents operation = "list_components\x00"
	opBump           operation = "bump\x00"
	opExport         operation = "export\x00"
	opImport         operation = "import\x00"
	opSetContext     operation = "set_context\x00"
	opGetContext     operation = "get_context\x00"
	opPropose        operation = "propose\x00"
	opListProposals  operation = "list_proposals\x00"
	opAccept         operation = "accept\x00"
	opReject         operation = "reject\x00"
	opPromptBlock    operation = "prompt_block\x00"
	opOnEvent        operation = "on_event\x00"
)

var operations = []operation{
	opSetHint, opGetHint, opQuery, opDeleteHint, opListComponents, opBump, opExport, opImport,
	opSetContext, opGetContext, opPropose, opListProposals, opAccept, opReject, opPromptBlock, opOnEvent,
}
