package io.penstock.admin;

import io.penstock.metrics.Gauge;
import io.penstock.metrics.Stage;
import io.penstock.time.Saturated;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;

/**
 * Formats a {@link Sample} of the server's state as a server-sent event (HTML standard). The flow board, a live page for operators, shows
 * these events.
 */
final class Frame {
    /** A page reconnects one second after its stream has ended, for example because the server was restarted. */
    private static final String RETRY = "retry: 1000\n";

    /** The most applications that are shown. Applications with failures come first, then the busiest. */
    private static final int APPLICATIONS = 30;

    private static final int CERTIFICATES = 12;

    /** The most workers that are shown: those with the longest-running jobs. */
    private static final int WORKERS = 16;

    private static final int MAPPINGS = 32;

    private Frame() {}

    static String of(Sample sample) {
        return RETRY + "data: " + json(sample) + "\n\n";
    }

    private static Json json(Sample sample) {
        Condition condition = Diagnosis.of(sample);
        Json json = new Json()
                .object()
                .field("node", sample.server().node())
                .field("version", sample.server().version())
                .field("at", Saturated.millis(sample.at()))
                .field("upMillis", Saturated.millis(sample.up()))
                .field("health", word(sample.health()))
                .field("tone", word(condition.tone()))
                .field("toneWord", condition.tone().word())
                .field("sentence", condition.sentence());
        json.name("details").array();
        condition.details().forEach(json::value);
        json.end().name("parts").array();
        condition.at().forEach(part -> json.value(word(part)));
        json.end();
        json.name("addresses").array();
        sample.server().addresses().forEach(json::value);
        json.end();
        json.name("secure").array();
        sample.server().secure().forEach(json::value);
        json.end();
        json.name("levels").object();
        for (Gauge gauge : Gauge.values()) {
            json.field(gauge.id(), sample.level(gauge));
        }
        json.end().name("bounds").object();
        sample.bounds().forEach((key, value) -> json.field(key.id(), value));
        json.end();
        pace(json, sample);
        lost(json, sample.lost());
        workers(json, sample);
        Views.mappings(json, sample.mappings().stream().limit(MAPPINGS).toList());
        json.field("mappingsInAll", sample.mappings().size());
        Views.bulkheads(json, sample.bulkheads());
        Views.webSockets(json, sample.webSockets());
        resets(json, sample.resets());
        json.name("busiest").array();
        sample.busiest().all().forEach(connection -> Views.connection(json, connection));
        json.end().name("silent").array();
        sample.busiest().silent().forEach(json::value);
        json.end().name("applications").array();
        Map<String, Long> failed = RecentLosses.counts(sample.lost().failures(), RecentLosses.Loss::application);
        sample.applications().stream()
                .sorted(Comparator.comparingLong((Watched.Application one) -> failed.getOrDefault(one.path(), 0L))
                        .thenComparingLong(Watched.Application::requests)
                        .reversed()
                        .thenComparing(Watched.Application::path))
                .limit(APPLICATIONS)
                .forEach(one -> json.object()
                        .field("path", one.path())
                        .field("name", Views.cut(one.name()))
                        .field("requests", one.requests())
                        .field("failed", failed.getOrDefault(one.path(), 0L))
                        .end());
        json.end().field("applicationsInAll", sample.applications().size());
        certificates(json, sample);
        json.name("failures").array();
        sample.failures().forEach(failure -> Views.failure(json, failure));
        json.end().name("incidents").array();
        for (Incident incident : sample.incidents()) {
            json.object()
                    .field("number", incident.number())
                    .field("first", Saturated.millis(incident.first()))
                    .field("last", Saturated.millis(incident.last()))
                    .field("status", incident.status())
                    .field("words", incident.words())
                    .field("ofApplication", incident.isOfApplication())
                    .field("times", incident.times())
                    .end();
        }
        return json.end().end();
    }

    private static void lost(Json json, RecentLosses lost) {
        json.name("lost")
                .object()
                .field("seconds", lost.seconds())
                .field("failed", RecentLosses.count(lost.failures()))
                .field("refused", RecentLosses.count(lost.refusals()))
                .end();
    }

    private static void resets(Json json, Sample.Resets resets) {
        json.name("streamResets").array();
        resets.byCause().forEach((cause, count) -> json.object()
                .field("cause", cause.id())
                .field("meaning", cause.meaning())
                .field("count", count)
                .end());
        json.end().field("floodPauses", resets.floodPauses());
    }

    private static void certificates(Json json, Sample sample) {
        json.name("certificates").array();
        sample.certificates().stream()
                .sorted(Comparator.comparing(Watched.Certificate::expires))
                .limit(CERTIFICATES)
                .forEach(one -> json.object()
                        .field("names", Views.cut(one.names()))
                        .field("expires", Saturated.millis(one.expires()))
                        .field("daysLeft", Diagnosis.daysLeft(one.expires(), sample.at()))
                        .end());
        json.end();
    }

    private static void pace(Json json, Sample sample) {
        Pace pace = sample.pace();
        json.name("pace")
                .object()
                .field("source", word(pace.source()))
                .field("requests", pace.requests())
                .field("refused", sample.refused())
                .field("failed", sample.failed())
                .field("opened", pace.opened())
                .field("received", pace.received())
                .field("sent", pace.sent())
                .name("times")
                .object();
        for (Stage stage : Stage.values()) {
            times(json, stage.id(), pace.stages().getOrDefault(stage, Percentiles.NONE));
        }
        times(json, "total", pace.total());
        json.end().end();
    }

    private static void times(Json json, String name, Percentiles times) {
        json.name(name)
                .object()
                .field("count", times.count())
                .field("halfMicros", times.half() / 1_000)
                .field("ninetyNineMicros", times.ninetyNine() / 1_000)
                .field("longestMicros", times.longest() / 1_000)
                .end();
    }

    private static void workers(Json json, Sample sample) {
        json.name("crew").object();
        json.field("most", sample.level(Gauge.WORKERS))
                .field("started", sample.workers().size());
        for (Watched.Doing doing : Watched.Doing.values()) {
            json.field(word(doing), sample.workers(doing::equals));
        }
        json.end().name("workers").array();
        sample.workers().stream()
                .filter(worker -> worker.doing() != Watched.Doing.IDLE)
                .limit(WORKERS)
                .forEach(worker -> {
                    json.object();
                    Views.worker(json, worker);
                    json.field("place", ApplicationFrame.of(worker.stack())).end();
                });
        json.end();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
