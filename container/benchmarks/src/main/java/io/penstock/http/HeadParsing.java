package io.penstock.http;

import io.penstock.limits.MessageLimits;
import io.penstock.limits.ServerConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Parses a request's head and determines the framing of the body. The head is complete in one direct buffer, as in the reactor. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadParsing {
    /** Requests as clients send them. */
    public enum Client {
        PROGRAM("Host: 127.0.0.1:8080\r\n"),
        BROWSER("""
            Host: www.example.org\r
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r
            Accept-Language: en-US,en;q=0.5\r
            Accept-Encoding: gzip, deflate, br, zstd\r
            Referer: https://www.example.org/orders\r
            Connection: keep-alive\r
            Cookie: JSESSIONID=0123456789abcdef0123456789abcdef\r
            Upgrade-Insecure-Requests: 1\r
            Sec-Fetch-Dest: document\r
            Sec-Fetch-Mode: navigate\r
            Sec-Fetch-Site: same-origin\r
            """);

        private final String fields;

        Client(String fields) {
            this.fields = fields;
        }
    }

    /** JMH measures each of them unless the command line names some. */
    @Param
    Client client = Client.PROGRAM;

    private final MessageLimits limits = ServerConfig.defaults().messages();
    private ByteBuffer in = ByteBuffer.allocateDirect(0);

    @Setup
    public void send() {
        byte[] bytes = ("GET /hello HTTP/1.1\r\n" + client.fields + "\r\n").getBytes(StandardCharsets.US_ASCII);
        in = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    }

    @Benchmark
    public @Nullable RequestHead parse() throws Violation {
        in.flip();
        RequestHead head = new RequestHeadParser(limits).parse(in);
        if (head != null) {
            BodyFraming.of(head);
        }
        return head;
    }
}
