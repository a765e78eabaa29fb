// The memory server of the Model Context Protocol: an entity for each item, of a type for each
// session. It is asked through its own protocol, as an agent that calls tools in parallel does.
import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import memrace from "../memrace.js";

class Store {
  constructor(client) {
    this.client = client;
  }

  async call(name, args) {
    const result = await this.client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  }

  // An item is an entity whose type is the session.
  append(session, text) {
    return this.call("create_entities",
      { entities: [{ name: text, entityType: session, observations: [] }] });
  }

  async items(session) {
    const { entities } = await this.call("read_graph", {});
    return entities.filter((e) => e.entityType === session).map((e) => e.name);
  }

  close() {
    return this.client.close();
  }
}

memrace.serve(async (path) => {
  const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
  const client = new Client({ name: "memrace", version: "1" });
  await client.connect(new StdioClientTransport({
    command: process.execPath, args: [server], env: { ...process.env, MEMORY_FILE_PATH: path },
  }));
  return new Store(client);
});
