package io.penstock.loadtest.compare.rows;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The two clients of a comparison: one for small responses, and one for large requests and responses.
 *
 * @param small the client for small requests and responses, for which the client can be the bottleneck
 * @param large the client for large requests or responses; see {@link Work.Requests#isLarge}
 */
public record Clients(Client small, Client large) {

    /** The values of the option {@code --client}. */
    public enum Choice {
        /** {@code wrk} for small responses if it is installed; otherwise the load test's own client. */
        AUTO,
        WRK,
        OWN;

        /** The name of the choice on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Converts the value of the option {@code --client}. */
    static final class ChoiceConverter implements ITypeConverter<Choice> {
        @Override
        public Choice convert(String name) {
            return Arrays.stream(Choice.values())
                    .filter(choice -> choice.toString().equals(name))
                    .findFirst()
                    .orElseThrow(
                            () -> new TypeConversionException("no such client: '" + name + "'; use auto, wrk or own"));
        }
    }

    /** @throws IllegalArgumentException if the client is not installed on this machine */
    public static Clients of(Choice choice) {
        boolean wrk = WrkClient.isOnPath();
        if (choice == Choice.WRK && !wrk) {
            throw new IllegalArgumentException("--client: wrk is not on the path; install it, or use --client own");
        }
        Client own = new OwnClient();
        return new Clients(wrk && choice != Choice.OWN ? new WrkClient() : own, own);
    }

    /**
     * Returns the clients for work over TLS.
     *
     * @throws IllegalArgumentException if the client is not installed on this machine
     */
    static Clients overTls() {
        if (!WrkClient.isOnPath()) {
            throw new IllegalArgumentException("--tls needs wrk, which is not on the path; install it");
        }
        Client wrk = new WrkClient();
        return new Clients(wrk, wrk);
    }

    Client of(Work.Requests work) {
        return work.isLarge() ? large : small;
    }

    /** The names of the clients, as a text for a report. */
    String inWords() {
        return small.title().equals(large.title())
                ? "`" + small.title() + "` for all"
                : "`" + small.title() + "` for small responses, the load test's own client for the rest";
    }
}
