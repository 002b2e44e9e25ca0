package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.CProgram;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client that makes TLS connections. It runs a C program, {@code tls_handshakes.c} in the folder of this class. The program uses OpenSSL,
 * which needs much less processor time than TLS in Java, so the server is the bottleneck. The program is compiled at its first use.
 *
 * <p>Thread: one thread at a time. Owns: the compiled program.
 */
final class HandshakeClient implements AutoCloseable {
    static final String SOURCE = "tls_handshakes.c";

    private static final Pattern RESULT = Pattern.compile(
            "handshakes=(\\d+) failed=(\\d+) seconds=([0-9.]+) version=(\\S*) suite=(\\S*) trouble=(.*)");

    private @Nullable CProgram program;

    /**
     * Makes handshakes for the given time.
     *
     * @throws IOException if the program cannot be compiled, or has failed
     */
    Client.Got make(Target target, Handshakes work, Duration time) throws IOException, InterruptedException {
        String output = Client.output(List.of(
                program().toString(),
                Integer.toString(target.address().getPort()),
                Integer.toString(work.connections()),
                Long.toString(time.toMillis()),
                work.version(),
                work.resumed() ? "resumed" : "full",
                target.path()));
        return parse(output.strip(), work);
    }

    static Client.Got parse(String output, Handshakes work) throws IOException {
        Matcher result = RESULT.matcher(output);
        if (!result.matches()) {
            throw new IOException(SOURCE + " has printed an unexpected result: " + output);
        }
        long good = Long.parseLong(result.group(1));
        if (good > 0 && !result.group(4).equals("TLSv" + work.version())) {
            throw new IOException("the server uses " + result.group(4) + ", not TLS " + work.version());
        }
        if (good > 0 && !TlsKey.SUITES.contains(result.group(5))) {
            throw new IOException("the server uses another cipher suite than the others: " + result.group(5));
        }
        return new Client.Got(
                good,
                Long.parseLong(result.group(2)),
                Double.parseDouble(result.group(3)),
                Double.NaN,
                Double.NaN,
                result.group(6));
    }

    private Path program() throws IOException, InterruptedException {
        CProgram known = program;
        if (known == null) {
            known = CProgram.compile(
                    HandshakeClient.class, SOURCE, "The client for handshakes, with OpenSSL,", "-lssl", "-lcrypto");
            program = known;
        }
        return known.file();
    }

    @Override
    public void close() throws IOException {
        if (program != null) {
            program.close();
        }
    }
}
