package io.penstock.loadtest.compare;

import java.io.IOException;
import java.time.Duration;

/**
 * New TLS connections. Each connection has one small request and its response.
 *
 * @param version {@code 1.2} or {@code 1.3}
 * @param resumed whether each connection resumes a TLS session; otherwise each handshake is a full handshake
 */
record Handshakes(int connections, String version, boolean resumed) implements Job.Together {
    private static final String HELLO = "/hello";

    /** The warm-up is longer than usual. Few handshakes are made per second, so the JVM compiles their code late. */
    private static final int SLOW = 3;

    @Override
    public boolean encrypted() {
        return true;
    }

    @Override
    public void warmUp(Stage stage, Contender contender, Duration time) throws IOException, InterruptedException {
        stage.handshakes().make(contender.target(HELLO), this, time.multipliedBy(SLOW));
    }

    @Override
    public void measure(Stage stage, Contender contender, Figures figures) throws IOException, InterruptedException {
        Requests.measure(stage.sizes().duration(), contender, Figure.HANDSHAKE_CPU, figures, time -> {
            Client.Got got = stage.handshakes().make(contender.target(HELLO), this, time);
            figures.put(Figure.HANDSHAKES, got.good() / got.seconds());
            return got;
        });
    }
}
