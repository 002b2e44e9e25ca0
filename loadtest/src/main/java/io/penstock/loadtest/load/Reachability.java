package io.penstock.loadtest.load;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import java.io.IOException;
import java.time.Duration;

/** Checks that the server answers before it is measured. */
public final class Reachability {
    private Reachability() {}

    /**
     * Sends one request before the load. If there is no server, the command can fail at once.
     *
     * @throws IOException with a message for the user if there is no response; a response of any status is enough
     */
    public static void check(ClientLoop loop, Request request, Duration deadline)
            throws IOException, InterruptedException {
        OpenPlan one = OpenPlan.ofRequests(request, 1, 1).withDeadline(deadline);
        LoadResult result = new OpenLoop(loop, one).await();
        if (result.failed() > 0) {
            throw new IOException(request.target().authority() + " does not answer: " + result.firstTrouble()
                    + "; check that the server runs and that the URL is right");
        }
    }
}
