package io.penstock.loadtest.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Passes the parts of a response to the {@link Exchange} of the first call in the queue. Thread: the thread of the {@link ClientLoop}. */
final class ExchangeSink implements ResponseSink {
    private final CallQueue calls;
    private final List<Fields.Field> lines = new ArrayList<>();

    ExchangeSink(CallQueue calls) {
        this.calls = calls;
    }

    @Override
    public boolean wantsFields() {
        PendingCall call = calls.first();
        return call != null && call.exchange().wantsFields();
    }

    @Override
    public void onField(String name, String value) {
        lines.add(new Fields.Field(name, value));
    }

    @Override
    public void onInterim(int status) {
        lines.clear();
    }

    @Override
    public void onHead(int status) {
        Fields fields = lines.isEmpty() ? Fields.NONE : new Fields(lines);
        lines.clear();
        PendingCall call = calls.first();
        if (call != null) {
            call.exchange().onHead(status, fields);
        }
    }

    @Override
    public void onBody(ByteBuffer bytes) {
        PendingCall call = calls.first();
        if (call != null) {
            call.exchange().onBody(bytes);
        }
    }
}
