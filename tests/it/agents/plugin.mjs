// Stands for OpenCode before the plugin: argv[2] is the plugin, argv[3] the status of a reply (0: it cannot be sent), and standard input the
// events, a JSON line each: [name, what it gives]. Prints what the plugin asked of it.
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

const status = Number(process.argv[3])
const say = (...words) => console.log(JSON.stringify(words))
const client = {
  tui: { showToast: async ({ body }) => say("shown", body.message) },
  _client: status !== 0 && {
    post: async ({ path, body }) => {
      say("replied", path.requestID, body.answers)
      return { response: { status } }
    },
  },
}
const { Plantune } = await import(pathToFileURL(process.argv[2]))
const plugin = await Plantune({ client, directory: process.cwd() })
for await (const line of createInterface({ input: process.stdin })) {
  const [type, given] = JSON.parse(line)
  if (type === "tool.execute.after") {
    await plugin[type](given.input, given.output)
    say("result", given.output.output)
  } else await plugin.event({ event: { type, properties: given } })
}
