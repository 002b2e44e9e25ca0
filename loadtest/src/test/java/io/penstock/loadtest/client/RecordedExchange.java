package io.penstock.loadtest.client;

import io.penstock.loadtest.client.HttpConnection.Exchange;
import java.util.List;

/** An exchange that records the calls of its methods in a list. All exchanges of a test use the same list. */
final class RecordedExchange implements Exchange {
    private final String name;
    private final List<String> log;

    RecordedExchange(String name, List<String> log) {
        this.name = name;
        this.log = log;
    }

    @Override
    public void onComplete(int status) {
        log.add(name + " complete " + status);
    }

    @Override
    public void onFailure(CallException failure) {
        log.add(name + " " + failure.failure());
    }
}
