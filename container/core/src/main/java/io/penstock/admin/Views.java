package io.penstock.admin;

import io.penstock.limits.BulkheadLimits;
import io.penstock.time.Saturated;
import java.util.List;
import java.util.Locale;

/** Writes objects of the server as JSON. Several pages use these methods. */
final class Views {
    /** The most characters of a client's text that are shown, for example of a request's path. Longer texts are cut. */
    private static final int LONGEST = 200;

    private Views() {}

    static void connection(Json json, Watched.Connection connection) {
        json.object()
                .field("id", connection.id())
                .field("client", connection.client())
                .field("state", connection.state())
                .field("waitsFor", connection.waitsFor())
                .field("ageMillis", connection.ageNanos() / 1_000_000)
                .field("request", cut(connection.request()))
                .name("otherRequests")
                .array();
        connection.otherRequests().forEach(request -> json.value(cut(request)));
        json.end()
                .field("requestInMemory", connection.requestInMemory())
                .field("requestOnDisk", connection.requestOnDisk())
                .field("responseInMemory", connection.responseInMemory())
                .field("responseInFiles", connection.responseInFiles())
                .end();
    }

    /** Adds members to an open object. The caller ends the object. */
    static void worker(Json json, Watched.Worker worker) {
        json.field("name", worker.name())
                .field("doing", worker.doing().name().toLowerCase(Locale.ROOT))
                .field("words", worker.doing().words())
                .field("millis", worker.nanos() / 1_000_000)
                .field("job", cut(worker.job()));
    }

    static void mappings(Json json, List<Watched.Mapping> mappings) {
        json.name("mappings").array();
        for (Watched.Mapping mapping : mappings) {
            json.object()
                    .field("name", mapping.name())
                    .field("running", mapping.running())
                    .field("longestMillis", mapping.longestNanos() / 1_000_000)
                    .field("waiting", mapping.waiting())
                    .field("oldestMillis", mapping.oldestNanos() / 1_000_000)
                    .field("refused", mapping.refused())
                    .end();
        }
        json.end();
    }

    static void bulkheads(Json json, List<Watched.Bulkhead> bulkheads) {
        json.name("bulkheads").array();
        for (Watched.Bulkhead bulkhead : bulkheads) {
            BulkheadLimits limits = bulkhead.limits();
            json.object()
                    .field("path", limits.path())
                    .field("running", bulkhead.running())
                    .field("maxWorkers", limits.maxWorkers())
                    .field("queued", bulkhead.queued())
                    .field("maxQueued", limits.maxQueued())
                    .field("refused", bulkhead.refused())
                    .field("spoolWrites", bulkhead.spoolWrites())
                    .field("maxSpoolWrites", limits.maxSpoolWrites())
                    .end();
        }
        json.end();
    }

    static void webSockets(Json json, List<Watched.WebSocket> slowest) {
        json.name("slowWebSockets").array();
        for (Watched.WebSocket one : slowest) {
            json.object()
                    .field("endpoint", cut(one.endpoint()))
                    .field("address", one.address())
                    .field("queuedBytes", one.queuedBytes())
                    .end();
        }
        json.end();
    }

    static void failure(Json json, Watched.Failure failure) {
        json.object()
                .field("path", failure.path())
                .field("source", failure.source())
                .field("at", Saturated.millis(failure.at()))
                .field("reason", failure.reason())
                .field("formerServes", failure.formerServes())
                .end();
    }

    static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
    }
}
