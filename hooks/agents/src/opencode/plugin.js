// plantune's plugin for OpenCode. `plantune install` writes this file, `plantune uninstall` removes it.
// It hands questions and prompts for permission to plantune's hook, and replies to a question where the hook has an
// answer. The model's own call is never changed. Whatever goes wrong, you are asked as without it.
import { spawn } from "node:child_process"

const HOOK = "plantune-hook"

// `opencode run` asks nobody: it refuses by itself.
const env = process.argv[2] === "run" ? { ...process.env, PLANTUNE_HEADLESS: "1" } : process.env

// How long is waited for the hook, in milliseconds, before you are left to answer.
const LIMIT = 1000

// What the hook prints for `call`, an object; `late` where it did not end in time, nothing where it failed.
const run = (call, cwd) =>
  new Promise((resolve) => {
    let printed = ""
    let timer
    const end = (reply) => {
      clearTimeout(timer)
      resolve(reply)
    }
    try {
      const hook = spawn(HOOK, ["opencode"], { cwd, env, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      timer = setTimeout(() => {
        hook.kill("SIGKILL")
        end({ late: true })
      }, LIMIT)
      hook.on("error", () => end({}))
      hook.stdin.on("error", () => {})
      hook.stdout.on("data", (text) => (printed += text))
      hook.on("close", () => {
        try {
          end(Object(JSON.parse(printed)))
        } catch {
          end({})
        }
      })
      hook.stdin.end(JSON.stringify(call))
    } catch {
      end({})
    }
  })

// Whether `answers` has one offered label for each of `questions`, and nothing else.
const fits = (answers, questions) =>
  Array.isArray(answers) &&
  answers.length === questions.length &&
  answers.every((labels, index) => {
    const offered = questions[index].options.map((option) => option.label)
    return Array.isArray(labels) && labels.length === 1 && offered.includes(labels[0])
  })

export const Plantune = async ({ client, directory }) => {
  // Where sessions run, and of which one they are a part.
  const sessions = new Map()
  // The questions that are open, and the prompts for permission.
  const [open, prompts] = [new Map(), new Map()]

  const call = (event, sessionID, fields) => {
    const { directory: cwd = directory, parentID } = sessions.get(sessionID) ?? {}
    const agent_id = parentID ? sessionID : undefined
    return run({ hook_event_name: event, session_id: sessionID, cwd, agent_id, ...fields }, cwd)
  }
  const about = (event, question, result) =>
    call(event, question.sessionID, {
      tool_name: "question",
      message_id: question.tool.messageID,
      call_id: question.tool.callID,
      tool_input: { questions: question.questions },
      tool_response: result,
    })
  const show = async (message) => {
    try {
      const body = { title: "plantune", message, variant: "info", duration: 10000 }
      if (typeof message === "string") await client.tui.showToast({ body })
    } catch {}
  }
  // Whether OpenCode took `answers`.
  const replied = async (question, answers) => {
    try {
      if (!fits(answers, question.questions)) return false
      const [path, headers] = [{ requestID: question.id }, { "Content-Type": "application/json" }]
      const sent = { url: "/question/{requestID}/reply", path, headers, body: { answers } }
      return (await client._client.post(sent)).response.status === 200
    } catch {
      return false
    }
  }
  const key = (sessionID, callID) => `${sessionID} ${callID}`

  const asked = async (question) => {
    if (!question.tool?.messageID || !question.tool.callID) return
    open.set(key(question.sessionID, question.tool.callID), question)
    const { answers, context, message, late } = await about("question.asked", question)
    if (!answers && !late) return show(message)
    // The model reads it behind the result of its call.
    question.context = context
    if (!late && (await replied(question, answers))) return show(message)
    question.context = undefined
    // You answer after all: what is on record must not say otherwise.
    await about("question.unanswered", question)
  }
  const rejected = async (id) => {
    const [name, question] = [...open].find(([, question]) => question.id === id) ?? []
    if (!question) return
    open.delete(name)
    await question.settled
    await about("question.rejected", question, { rejected: true })
  }
  const prompted = (event, prompt, decision) =>
    call(event, prompt.sessionID, {
      tool_name: prompt.permission,
      request_id: prompt.id,
      tool_input: { command: prompt.metadata?.command, patterns: prompt.patterns },
      ...decision,
    })
  const decided = async ({ requestID, reply }) => {
    const [prompt, since] = prompts.get(requestID) ?? []
    prompts.delete(requestID)
    if (prompt) await prompted("permission.replied", prompt, { reply, waited_seconds: (Date.now() - since) / 1000 })
  }
  const handle = async ({ type, properties }) => {
    if (type === "session.created") {
      sessions.set(properties.info.id, properties.info)
      await call("session.created", properties.info.id, { source: "startup" })
    } else if (type === "question.asked") await (properties.settled = asked(properties))
    else if (type === "question.rejected") await rejected(properties.requestID)
    else if (type === "permission.asked") {
      prompts.set(properties.id, [properties, Date.now()])
      await prompted(type, properties)
    } else if (type === "permission.replied") await decided(properties)
  }

  return {
    event: ({ event }) => handle(event).catch(() => {}),
    "tool.execute.after": async (input, output) => {
      try {
        const question = open.get(key(input.sessionID, input.callID))
        if (input.tool !== "question" || !question) return
        open.delete(key(input.sessionID, input.callID))
        await question.settled
        const { context, message } = await about("question.replied", question, { answers: output.metadata.answers })
        show(message)
        const added = [question.context, context].filter((text) => typeof text === "string")
        if (added.length > 0 && typeof output.output === "string") output.output += `\n${added.join("\n")}`
      } catch {}
    },
  }
}
