package io.penstock.loadtest.load;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import java.io.IOException;
import java.time.Duration;

/** Whether there is anybody to be measured. */
public final class Reachability {
    private Reachability() {}

    /**
     * Lets one request go ahead, so that nobody waits for the end of a load that nobody answers.
     *
     * @throws IOException with a message for the user if it is not answered, whatever the status
     */
    public static void check(ClientLoop loop, Request request, Duration deadline)
            throws IOException, InterruptedException {
        OpenPlan one = OpenPlan.ofRequests(request, 1, 1).withDeadline(deadline);
        LoadResult result = new OpenLoop(loop, one).await();
        if (result.failed() > 0) {
            throw new IOException(request.target().authority() + " does not answer: " + result.firstTrouble()
                    + "; see whether the server runs and the URL is right");
        }
    }
}
