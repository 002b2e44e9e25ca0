package io.penstock.sample.slowtext;

import io.penstock.sample.Ticker;
import io.penstock.sample.async.AsyncOutput;
import java.nio.charset.StandardCharsets;

/**
 * Sends one long text to one client. Thread: the thread of the {@link Ticker}. This thread sends the next paragraph if
 * the client has accepted the previous paragraph.
 */
final class Drip implements Runnable {
    private final AsyncOutput output;
    private final int paragraphs;
    private final int pauseMillis;
    private final Ticker ticker;
    private int sent;

    Drip(AsyncOutput output, int paragraphs, int pauseMillis, Ticker ticker) {
        this.output = output;
        this.paragraphs = paragraphs;
        this.pauseMillis = pauseMillis;
        this.ticker = ticker;
    }

    void start() {
        ticker.after(0, this);
    }

    @Override
    public void run() {
        if (sent == paragraphs) {
            output.finish();
        } else if (output.offer(Paragraphs.number(sent + 1).getBytes(StandardCharsets.UTF_8))) {
            sent++;
        }
        if (!output.hasEnded()) {
            ticker.after(pauseMillis, this);
        }
    }
}
