package io.penstock.accesslog;

import io.penstock.events.Notes;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Builds the summary of an ended request for the access log. It has the notes of the request, too. */
final class Ended implements Notes {
    static final Instant BEGAN = Instant.parse("2026-11-21T14:08:16.25Z");

    private final Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> responseFields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> attributes = new TreeMap<>();
    private String session = "";
    private String method = "GET";
    private String target = "/";
    private String protocol = "HTTP/1.1";
    private RequestSummary.Outcome outcome = RequestSummary.Outcome.ANSWERED;
    private int status = 200;
    private String reason = "";
    private String user = "";
    private long number = 1;

    static Ended get(String target) {
        Ended ended = new Ended();
        ended.target = target;
        return ended;
    }

    /** Begins the summary of a request whose request line could not be parsed. */
    static Ended unread(int status, String reason) {
        Ended ended = get("").refused(status, reason);
        ended.method = "";
        ended.protocol = "";
        return ended;
    }

    Ended method(String text) {
        method = text;
        return this;
    }

    Ended protocol(String text) {
        protocol = text;
        return this;
    }

    Ended field(String name, String value) {
        fields.put(name, value);
        return this;
    }

    Ended responseField(String name, String value) {
        responseFields.put(name, value);
        return this;
    }

    Ended attribute(String name, String value) {
        attributes.put(name, value);
        return this;
    }

    Ended session(String id) {
        session = id;
        return this;
    }

    @Override
    public String responseField(String name) {
        return responseFields.getOrDefault(name, "");
    }

    @Override
    public String attribute(String name) {
        return attributes.getOrDefault(name, "");
    }

    @Override
    public String sessionId() {
        return session;
    }

    Ended user(String name) {
        user = name;
        return this;
    }

    Ended number(long which) {
        number = which;
        return this;
    }

    Ended refused(int newStatus, String why) {
        outcome = RequestSummary.Outcome.REFUSED;
        status = newStatus;
        reason = why;
        return this;
    }

    Ended gone(String why) {
        outcome = RequestSummary.Outcome.GONE;
        status = 0;
        reason = why;
        return this;
    }

    RequestSummary summary() {
        Request request = new Request(
                "c7",
                number,
                new InetSocketAddress("192.0.2.7", 40112),
                method,
                target,
                protocol,
                name -> Optional.ofNullable(fields.get(name)));
        return new RequestSummary(
                request,
                user,
                outcome,
                status,
                reason,
                new RequestSummary.Volume(5, status == 0 ? 0 : 5120, 6, 7),
                new RequestSummary.Times(BEGAN, 1_000_000, 20_000_000, 300_000, 4_000_000_000L, 50_000));
    }
}
