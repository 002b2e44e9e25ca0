package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.CProgram;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * New TLS connections. Each connection has one small request and its response. The client is a C program, {@code tls_handshakes.c} in the
 * folder of this class. It uses OpenSSL, which needs much less processor time than TLS in Java, so the server is the bottleneck.
 *
 * @param version {@code 1.2} or {@code 1.3}
 * @param resumed whether each connection resumes a TLS session; otherwise each handshake is a full handshake
 */
record Handshakes(int connections, String version, boolean resumed) implements Job.Together {
    private static final String HELLO = "/hello";
    private static final String SOURCE = "tls_handshakes.c";

    private static final Pattern RESULT = Pattern.compile(
            "handshakes=(\\d+) failed=(\\d+) seconds=([0-9.]+) version=(\\S*) suite=(\\S*) trouble=(.*)");

    /** The warm-up is longer than usual. Few handshakes are made per second, so the JVM compiles their code late. */
    private static final int SLOW = 3;

    @Override
    public boolean encrypted() {
        return true;
    }

    @Override
    public void warmUp(Stage stage, Contender contender, Duration time) throws IOException, InterruptedException {
        make(stage, contender.target(HELLO), time.multipliedBy(SLOW));
    }

    @Override
    public void measure(Stage stage, Contender contender, Figures figures) throws IOException, InterruptedException {
        Requests.measure(stage.sizes().duration(), contender, Figure.HANDSHAKE_CPU, figures, time -> {
            Client.Got got = make(stage, contender.target(HELLO), time);
            figures.put(Figure.HANDSHAKES, got.good() / got.seconds());
            return got;
        });
    }

    private Client.Got make(Stage stage, Target target, Duration time) throws IOException, InterruptedException {
        CProgram program = stage.prepared(
                CProgram.class,
                () -> CProgram.compile(
                        Handshakes.class, SOURCE, "The client for handshakes, with OpenSSL,", "-lssl", "-lcrypto"));
        List<String> command = new ArrayList<>(List.of(program.file().toString()));
        command.add(Integer.toString(target.address().getPort()));
        command.addAll(List.of(Integer.toString(connections), Long.toString(time.toMillis()), version));
        command.addAll(List.of(resumed ? "resumed" : "full", target.path()));
        return parse(Client.output(time, command, line -> false).strip());
    }

    Client.Got parse(String output) throws IOException {
        Matcher result = RESULT.matcher(output);
        if (!result.matches()) {
            throw new IOException(SOURCE + " has printed an unexpected result: " + output);
        }
        long good = Long.parseLong(result.group(1));
        if (good > 0 && !result.group(4).equals("TLSv" + version)) {
            throw new IOException("the server uses " + result.group(4) + ", not TLS " + version);
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
}
