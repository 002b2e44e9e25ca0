package io.penstock.loadtest.peers;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The servers that can be compared. Each constant is a server with certain settings. */
public enum Server {
    PENSTOCK("penstock", Settings.TUNED, Threads.PLATFORM),
    TOMCAT7("tomcat7", Settings.TUNED, Threads.PLATFORM),
    TOMCAT("tomcat", Settings.TUNED, Threads.PLATFORM),
    JETTY("jetty", Settings.TUNED, Threads.PLATFORM),
    /**
     * With a handler that calls the servlet when the body is complete or 64 KB of it have arrived. Penstock also keeps as much in memory.
     */
    JETTY_EAGER(
            "jetty",
            Settings.TUNED,
            Threads.PLATFORM,
            ", EagerContentHandler of 64 KB",
            Map.of("eager-content", "65536")),
    UNDERTOW("undertow", Settings.TUNED, Threads.PLATFORM),
    /** With a handler that calls the servlet when the body is complete or four buffers are full. */
    UNDERTOW_BUFFERING(
            "undertow",
            Settings.TUNED,
            Threads.PLATFORM,
            ", RequestBufferingHandler of 4 × 16 KB",
            Map.of("request-buffers", "4")),
    TOMCAT_VIRTUAL("tomcat", Settings.TUNED, Threads.VIRTUAL),
    JETTY_VIRTUAL("jetty", Settings.TUNED, Threads.VIRTUAL),
    PENSTOCK_DEFAULTS("penstock", Settings.DEFAULT, Threads.PLATFORM),
    TOMCAT7_DEFAULTS("tomcat7", Settings.DEFAULT, Threads.PLATFORM),
    TOMCAT_DEFAULTS("tomcat", Settings.DEFAULT, Threads.PLATFORM),
    JETTY_DEFAULTS("jetty", Settings.DEFAULT, Threads.PLATFORM),
    UNDERTOW_DEFAULTS("undertow", Settings.DEFAULT, Threads.PLATFORM),
    PENSTOCK_VIRTUAL_DEFAULTS("penstock", Settings.DEFAULT, Threads.VIRTUAL),
    TOMCAT_VIRTUAL_DEFAULTS("tomcat", Settings.DEFAULT, Threads.VIRTUAL),
    JETTY_VIRTUAL_DEFAULTS("jetty", Settings.DEFAULT, Threads.VIRTUAL),
    /** An earlier Penstock: a copy of the file {@code penstock.jar} of an earlier build, with another name. */
    PENSTOCK_BEFORE("penstock-before", Settings.DEFAULT, Threads.PLATFORM),
    PENSTOCK_BEFORE_VIRTUAL("penstock-before", Settings.DEFAULT, Threads.VIRTUAL),
    PENSTOCK_REDIS("penstock-redis", Settings.TUNED, Threads.PLATFORM),
    TOMCAT_SPRING("tomcat-spring", Settings.TUNED, Threads.PLATFORM),
    BOOT_PENSTOCK("boot-penstock", Settings.DEFAULT, Threads.PLATFORM),
    BOOT_TOMCAT("boot-tomcat", Settings.DEFAULT, Threads.PLATFORM),
    BOOT_JETTY("boot-jetty", Settings.DEFAULT, Threads.PLATFORM),
    BOOT_PENSTOCK_VIRTUAL("boot-penstock", Settings.DEFAULT, Threads.VIRTUAL),
    BOOT_TOMCAT_VIRTUAL("boot-tomcat", Settings.DEFAULT, Threads.VIRTUAL),
    BOOT_JETTY_VIRTUAL("boot-jetty", Settings.DEFAULT, Threads.VIRTUAL);

    /** The settings of servers with {@link Settings#TUNED}, as a text for a report. */
    public static final String TUNED_SETTINGS =
            "keep-alive requests unlimited (disableKeepAlivePercentage=100 on Tomcat 7),"
                    + " accept backlog 4096, 20,000 connections, all idle timeouts 60 s, bodies of up to 1 GB (Undertow's default is 2 MB); Penstock 4 workers and a queue of 20,000 requests without a limit of time,"
                    + " Tomcat 7 up to 2000 threads (one for each connection), the others pools of 200 threads";

    private static final String UNDER_BOOT = "boot-";

    /** The first Java version with virtual threads. */
    public static final int VIRTUAL_SINCE = 21;

    /** The origin of a server's settings. */
    public enum Settings {
        /** The common settings: {@link #TUNED_SETTINGS}. */
        TUNED,
        /** The default settings of the server. */
        DEFAULT
    }

    /** The threads that run servlets. */
    public enum Threads {
        PLATFORM,
        VIRTUAL
    }

    private final String peer;
    private final Settings settings;
    private final Threads threads;
    private final String handler;
    private final Map<String, String> own;

    Server(String peer, Settings settings, Threads threads) {
        this(peer, settings, threads, "", Map.of());
    }

    /**
     * @param handler the handler that collects request bodies, for a table; empty if the server has none
     * @param own additional settings, with the server's own names
     */
    Server(String peer, Settings settings, Threads threads, String handler, Map<String, String> own) {
        this.peer = peer;
        this.settings = settings;
        this.threads = threads;
        this.handler = handler;
        this.own = own;
    }

    /** The name on the command line and in results, such as {@code jetty-virtual}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The file name of the server's program in the folder {@code peers}. */
    public String jar() {
        return peer + ".jar";
    }

    public Settings settings() {
        return settings;
    }

    public Threads threads() {
        return threads;
    }

    /** The additional settings of this constant. The keys are the server's own names of the settings. */
    Map<String, String> own() {
        return own;
    }

    public boolean isPenstock() {
        return peer.startsWith("penstock") || this == BOOT_PENSTOCK || this == BOOT_PENSTOCK_VIRTUAL;
    }

    /** Whether the server is an earlier Penstock, with which the present Penstock is compared. */
    public boolean isBefore() {
        return peer.equals("penstock-before");
    }

    /** Whether the server runs a Spring Boot application. This application has other content than the other servers. */
    public boolean isUnderBoot() {
        return peer.startsWith(UNDER_BOOT);
    }

    /**
     * Returns the name that a setting of Penstock has on this server, which must be a Penstock. Under Spring Boot, the name has the prefix
     * {@code server.penstock.}.
     */
    public String key(String name) {
        return isUnderBoot() ? "server.penstock." + name : name;
    }

    /** Whether the server keeps sessions in a session store. The setting {@code session-store} must have the address of the store. */
    public boolean needsSessionStore() {
        return this == PENSTOCK_REDIS || this == TOMCAT_SPRING;
    }

    /**
     * Whether servlets run on a pool of platform threads. Penstock's worker threads do not count as a pool. Tomcat 7, which has one thread
     * for each connection, has no pool, either.
     */
    public boolean hasPool() {
        return threads == Threads.PLATFORM && !isPenstock() && !peer.equals("tomcat7");
    }

    /** Whether the server has Jakarta WebSocket, and its program has the endpoints of the common content. */
    public boolean hasWebSocket() {
        return !isUnderBoot() && !needsSessionStore() && !peer.equals("tomcat7") && !peer.equals("undertow");
    }

    public Server withDefaults() {
        return Arrays.stream(values())
                .filter(server -> server.settings == Settings.DEFAULT)
                .filter(server -> server.peer.equals(peer) && server.threads == threads)
                .findFirst()
                .orElse(this);
    }

    /** The server's name in a table, built from the name and version that the process has reported. */
    public String title(String version) {
        return version
                + handler
                + (isBefore() ? ", before" : "")
                + (this == PENSTOCK_REDIS ? ", sessions in Redis" : "")
                + (threads == Threads.VIRTUAL ? ", virtual threads" : "")
                + (settings == Settings.DEFAULT && !isUnderBoot() ? ", defaults" : "");
    }

    /** Whether the server can run in a JVM of the given feature version, such as 17. */
    public boolean runsOn(int javaVersion) {
        return threads == Threads.PLATFORM || javaVersion >= VIRTUAL_SINCE;
    }

    /** Returns the server with the given {@link #id}. */
    public static Optional<Server> named(String id) {
        return Arrays.stream(values()).filter(server -> server.id().equals(id)).findFirst();
    }

    public static List<String> ids() {
        return Arrays.stream(values()).map(Server::id).toList();
    }
}
