#!/usr/bin/env python3
"""What stands before a Spark Connect server that is reached through TLS: takes connections that are encrypted with the
given certificate, and passes on what they say.

    tls.py CERTIFICATE KEY PORT TARGET_PORT     on 127.0.0.1; says "listening" once it does
"""

import asyncio
import ssl
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def main(certificate, key, port, target):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    # gRPC asks for HTTP/2 by this name.
    context.set_alpn_protocols(["h2"])

    async def serve(reader, writer):
        try:
            to_reader, to_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(copy(reader, to_writer), copy(to_reader, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", port, ssl=context)
    print("listening", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
