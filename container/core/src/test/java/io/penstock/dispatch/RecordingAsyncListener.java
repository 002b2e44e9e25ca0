package io.penstock.dispatch;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.List;

/** A listener that records the calls of its methods. */
public record RecordingAsyncListener(List<String> heard) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
        heard.add("complete");
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        heard.add("timeout");
    }

    @Override
    public void onError(AsyncEvent event) {
        heard.add("error");
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        heard.add("start");
    }
}
