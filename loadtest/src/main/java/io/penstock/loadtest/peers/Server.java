package io.penstock.loadtest.peers;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The servers that can be compared, each in one way of setting it up. */
public enum Server {
    PENSTOCK("penstock", Settings.TUNED, Threads.PLATFORM),
    TOMCAT7("tomcat7", Settings.TUNED, Threads.PLATFORM),
    TOMCAT("tomcat", Settings.TUNED, Threads.PLATFORM),
    JETTY("jetty", Settings.TUNED, Threads.PLATFORM),
    UNDERTOW("undertow", Settings.TUNED, Threads.PLATFORM),
    TOMCAT_VIRTUAL("tomcat", Settings.TUNED, Threads.VIRTUAL),
    JETTY_VIRTUAL("jetty", Settings.TUNED, Threads.VIRTUAL),
    PENSTOCK_DEFAULTS("penstock", Settings.DEFAULT, Threads.PLATFORM),
    TOMCAT7_DEFAULTS("tomcat7", Settings.DEFAULT, Threads.PLATFORM),
    TOMCAT_DEFAULTS("tomcat", Settings.DEFAULT, Threads.PLATFORM),
    JETTY_DEFAULTS("jetty", Settings.DEFAULT, Threads.PLATFORM),
    UNDERTOW_DEFAULTS("undertow", Settings.DEFAULT, Threads.PLATFORM);

    /** What the tuned servers have in common, in words for a result. */
    public static final String TUNED_SETTINGS =
            "keep-alive requests unlimited (disableKeepAlivePercentage=100 on Tomcat 7),"
                    + " accept backlog 4096, 20,000 connections, idle 60 s; Penstock 4 workers and a queue of 20,000 requests,"
                    + " Tomcat 7 up to 2000 threads (one a connection), the others pools of 200 threads";

    /** The first Java version with virtual threads. */
    public static final int VIRTUAL_SINCE = 21;

    /** Whose choices a server runs with. */
    public enum Settings {
        /** The same for all servers: {@link #TUNED_SETTINGS}. */
        TUNED,
        /** The server's own. */
        DEFAULT;

        String argument() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What runs servlets. */
    public enum Threads {
        PLATFORM,
        VIRTUAL;

        String argument() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final String peer;
    private final Settings settings;
    private final Threads threads;

    Server(String peer, Settings settings, Threads threads) {
        this.peer = peer;
        this.settings = settings;
        this.threads = threads;
    }

    /** The name on the command line and in results, such as {@code jetty-virtual}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The file of its program in the folder of peers. */
    public String jar() {
        return peer + ".jar";
    }

    public Settings settings() {
        return settings;
    }

    public Threads threads() {
        return threads;
    }

    /** Whether servlets run on a pool of platform threads that is neither Penstock's workers nor a thread a connection. */
    public boolean hasPool() {
        return threads == Threads.PLATFORM && !peer.equals("penstock") && !peer.equals("tomcat7");
    }

    /** The same server as it comes. */
    public Server withDefaults() {
        return Arrays.stream(values())
                .filter(server -> server.settings == Settings.DEFAULT)
                .filter(server -> server.peer.equals(peer) && server.threads == threads)
                .findFirst()
                .orElse(this);
    }

    /** What it is called in a table, given the name and version that the process has told. */
    public String title(String version) {
        return version
                + (threads == Threads.VIRTUAL ? ", virtual threads" : "")
                + (settings == Settings.DEFAULT ? ", defaults" : "");
    }

    /** Whether a JVM of that feature version, 17 for example, has what it needs. */
    public boolean runsOn(int javaVersion) {
        return threads == Threads.PLATFORM || javaVersion >= VIRTUAL_SINCE;
    }

    /** The server of that {@link #id}. */
    public static Optional<Server> named(String id) {
        return Arrays.stream(values()).filter(server -> server.id().equals(id)).findFirst();
    }

    /** All names, in order. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(Server::id).toList();
    }
}
