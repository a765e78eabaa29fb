// FileSystemChatMessageHistory of @langchain/community: one file for all sessions, or a file for each.
import { dirname, join } from "node:path";
import { FileSystemChatMessageHistory } from "@langchain/community/stores/message/file_system";
import { HumanMessage } from "@langchain/core/messages";
import memrace from "../memrace.js";

const fileForEach = process.argv[2] === "files";

class Store {
  constructor(path) {
    this.path = path;
  }

  of(session) { // anew for each call, as its documentation does
    const fields = fileForEach
      ? { sessionId: "chat", filePath: join(dirname(this.path), `${session}.json`) }
      : { sessionId: session, filePath: this.path };
    return new FileSystemChatMessageHistory(fields);
  }

  append(session, text) {
    return this.of(session).addMessage(new HumanMessage(text));
  }

  async items(session) {
    return (await this.of(session).getMessages()).map((message) => message.content);
  }

  close() {}
}

memrace.serve((path) => new Store(path));
