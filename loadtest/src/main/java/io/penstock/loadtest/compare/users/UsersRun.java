package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.ServerFailure;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run: the users connect, request one content after the other over the same connections, stop sending requests, and disconnect. */
final class UsersRun {
    private static final Duration WARM_UP_ARRIVAL = Duration.ofMillis(100);

    private final UsersPlan plan;
    private final ServerProcess server;

    UsersRun(UsersPlan plan, ServerProcess server) {
        this.plan = plan;
        this.server = server;
    }

    /** Sends requests for all contents, without a measurement. */
    void warmUp() throws IOException, InterruptedException {
        try (UserCrowd crowd = crowd(UsersPlan.WARM_UP_USERS)) {
            crowd.arrive(WARM_UP_ARRIVAL, request(plan.asked().get(0)));
            for (Asked asked : plan.asked()) {
                crowd.ask(request(asked));
                crowd.pass(plan.warmUp());
            }
            crowd.depart();
        }
    }

    /**
     * The measurements of a run.
     *
     * @param runs the results, one object for each content
     * @param withoutHeap the reason for which the size of the heap is not known; empty if it is known
     */
    record Outcome(List<Run> runs, String withoutHeap) {}

    Outcome measure(int users, int round) throws IOException, InterruptedException {
        try (UserCrowd crowd = crowd(users)) {
            ConnectTally.Reading counted = crowd.connects().read();
            crowd.arrive(plan.rampUp(), request(plan.asked().get(0)));
            List<Run> measured = new ArrayList<>();
            for (Asked asked : plan.asked()) {
                Run run = measure(crowd, users, round, asked);
                // Every error counts once. For the first content, errors are counted from the start of the first user;
                // for each other content, from the end of the previous content.
                ConnectTally.Reading now = crowd.connects().read();
                measured.add(run.withConnectErrors(now.errorsPerMinuteSince(counted)));
                counted = now;
            }
            crowd.pause();
            crowd.pass(plan.change());
            Outcome outcome = withHeap(measured);
            crowd.depart();
            return outcome;
        }
    }

    /**
     * Adds the size of the heap after a garbage collection. If this fails, the other measurements are used without the size of the heap.
     */
    private Outcome withHeap(List<Run> measured) throws InterruptedException {
        try {
            double heap = (double) server.collect().heapBytes();
            return new Outcome(measured.stream().map(run -> run.withHeap(heap)).toList(), "");
        } catch (ServerFailure failed) {
            return new Outcome(measured, "its heap: " + failed.getMessage());
        }
    }

    private Run measure(UserCrowd crowd, int users, int round, Asked asked) throws IOException, InterruptedException {
        crowd.ask(request(asked));
        crowd.pass(plan.change());
        ProcessAccount before = server.account();
        AnswerTally tally = crowd.count();
        crowd.passCounting(plan.duration());
        crowd.freeze(tally);
        ProcessAccount after = server.account();
        return new Run(
                server.server().id(),
                users,
                asked,
                round,
                tally.answersPerSecond(),
                tally.micros(50),
                tally.micros(99),
                tally.micros(99.9),
                0,
                tally.troubles(),
                users - tally.usersServed(),
                tally.answers() == 0 ? Double.NaN : after.cpuSecondsSince(before) * 1e6 / tally.answers(),
                after.threads(),
                after.residentBytes(),
                Double.NaN,
                crowd.connects().firstTrouble());
    }

    private UserCrowd crowd(int users) throws IOException {
        return new UserCrowd(server.target("/").address(), users);
    }

    private Request request(Asked asked) {
        return Request.get(server.target(asked.path()));
    }
}
