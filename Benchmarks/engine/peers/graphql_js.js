// What graphql-js takes to parse and validate documents: node graphql_js.js SCHEMA DOCUMENT...
// Introspection is executed, too, and its result written as JSON: the schema has no resolvers for other fields.
const fs = require("fs");
const path = require("path");
const { buildSchema, execute, parse, specifiedDirectives, validate } = require("graphql");

const microseconds = (work) => {
  const samples = [];
  const end = process.hrtime.bigint() + 1_000_000_000n;
  while (process.hrtime.bigint() < end || samples.length < 3) {
    const start = process.hrtime.bigint();
    work();
    samples.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1];
};

const [schemaPath, ...documents] = process.argv.slice(2);
// Debian's graphql-js is older than @oneOf.
const knowsOneOf = specifiedDirectives.some(({ name }) => name === "oneOf");
const oneOf = knowsOneOf ? "" : "\ndirective @oneOf on INPUT_OBJECT\n";
const schema = buildSchema(fs.readFileSync(schemaPath, "utf8") + oneOf);
for (const file of documents) {
  const text = fs.readFileSync(file, "utf8");
  const document = parse(text);
  const [error] = validate(schema, document);
  if (error) throw new Error(`${file}: ${error.message}`);
  const figures = {
    document: path.basename(file),
    parse: microseconds(() => parse(text)),
    validate: microseconds(() => validate(schema, document)),
  };
  if (figures.document === "introspection") {
    figures.execute = microseconds(() => JSON.stringify(execute({ schema, document })));
  }
  console.log(JSON.stringify(figures));
}
