// Holds an OpenRPC document against OpenRPC's own meta-schema, and follows its references.
const fs = require("node:fs");
const { parseOpenRPCDocument, validateOpenRPCDocument } = require("@open-rpc/schema-utils-js");

async function main() {
  const document = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
  const verdict = validateOpenRPCDocument(structuredClone(document));
  if (verdict !== true) throw verdict;
  const whole = await parseOpenRPCDocument(structuredClone(document));
  const left = JSON.stringify(whole).match(/"\$ref"/g);
  if (left) throw new Error(`${left.length} references lead nowhere`);

  delete document.methods[0].params;
  if (validateOpenRPCDocument(document) === true) throw new Error("a method without params passes");
}

main().catch((error) => {
  console.error(error.message ?? error);
  process.exitCode = 1;
});
