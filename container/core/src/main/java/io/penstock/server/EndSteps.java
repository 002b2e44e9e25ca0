package io.penstock.server;

import java.io.IOException;
import org.slf4j.Logger;

/**
 * The steps that end the parts of a server. If a step fails, the failure is logged, and the next steps run. Otherwise a failure would leave
 * threads, files and sessions of the other parts behind.
 *
 * <p>Thread: the thread that stops the server.
 */
final class EndSteps {
    private final Logger log;
    private boolean interrupted;

    EndSteps(Logger log) {
        this.log = log;
    }

    /** A step. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** @param parts the ended parts, as the beginning of a sentence with its verb: {@code A port was} */
    void run(String parts, Step step) {
        try {
            step.run();
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException e) {
            log.warn("{} not closed cleanly: {}", parts, e.toString());
        } catch (RuntimeException | Error e) {
            log.error("{} not closed cleanly; the stop goes on", parts, e);
        }
    }

    /** Whether a step was interrupted. */
    boolean wereInterrupted() {
        return interrupted;
    }
}
