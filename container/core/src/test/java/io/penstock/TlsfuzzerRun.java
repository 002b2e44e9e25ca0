package io.penstock;

import io.penstock.certificates.Issued;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts servers, runs the scripts of tlsfuzzer (a test suite for TLS) against these servers, and prints the results (see
 * {@code docs/security.md}). The test resource {@code tls/tlsfuzzer.txt} has a line for each script, with the arguments or with the reason
 * for not running the script.
 */
public final class TlsfuzzerRun {
    private static final String SCRIPTS = "/tls/tlsfuzzer.txt";
    private static final String NOT_RUN = "-";
    private static final int MINUTES = 5;
    private static final Pattern COUNT = Pattern.compile("(?m)^(PASS|XFAIL|FAIL|XPASS): (\\d+)$");
    private static final Pattern ERROR = Pattern.compile("^\\w+(?:\\.\\w+)*(?:Error|Exception|MAC): ?(.*)$");

    private static final String GCM = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";

    /** The default cipher suites and some weaker suites: without forward secrecy, with CBC, or with DHE. */
    private static final String DEFAULT_AND_WEAK_SUITES = String.join(
            ",",
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            GCM,
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
            "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
            "TLS_DHE_RSA_WITH_AES_128_CBC_SHA",
            "TLS_RSA_WITH_AES_128_CBC_SHA",
            "TLS_RSA_WITH_AES_128_GCM_SHA256");

    private final Path checkout;
    private final String python;
    private final Path folder = Files.createTempDirectory("tlsfuzzer");
    private final Issued rsa = Issued.self(rsaKeys(), "localhost", "ip:127.0.0.1");
    private final Issued ec = Issued.self(Issued.EC, "localhost", "ip:127.0.0.1");
    private final Issued rsaClient = Issued.self(rsaKeys(), "client");

    private TlsfuzzerRun(Path checkout, String python) throws IOException {
        this.checkout = checkout;
        this.python = python;
    }

    /** The kind of failure of one conversation of a script. */
    private enum Result {
        /** The server sent a fatal alert that differs from the alert that the script expects. */
        OTHER_ALERT("another alert"),
        /** The server sent a fatal alert where the script expects another message. */
        REFUSED("refused"),
        /** Any other failure. */
        OTHERWISE("otherwise");

        private final String shown;

        Result(String shown) {
            this.shown = shown;
        }

        static Result of(String message) {
            if (message.startsWith("Expected alert description") || message.startsWith("Alert level")) {
                return OTHER_ALERT;
            }
            return message.startsWith("Unexpected message from peer: Alert(fatal") ? REFUSED : OTHERWISE;
        }
    }

    /**
     * @param server the name of the server, or {@link #NOT_RUN}
     * @param arguments the arguments of the script, or the reason for not running the script
     */
    private record Script(String name, String server, String arguments) {
        boolean isRun() {
            return !server.equals(NOT_RUN);
        }
    }

    /** @param messages some messages of failures of the kind {@link Result#OTHERWISE}, or a note that the script did not end */
    private record Outcome(Script script, int all, int asExpected, Map<Result, Integer> others, Set<String> messages) {
        boolean isAsExpected() {
            return all > 0 && all == asExpected;
        }

        String row() {
            String counts = Arrays.stream(Result.values())
                    .map(result -> String.valueOf(others.getOrDefault(result, 0)))
                    .collect(Collectors.joining(" | "));
            return "| " + script.name + " | " + all + " | " + asExpected + " | " + counts + " | "
                    + String.join("; ", messages) + " |";
        }
    }

    /**
     * @param arguments the folder of the tlsfuzzer checkout, the Python interpreter, and the names of the scripts to run; without names,
     *     all scripts run
     */
    public static void main(String[] arguments) throws Exception {
        List<Script> all = scripts();
        TlsfuzzerRun run = new TlsfuzzerRun(Path.of(arguments[0]).toRealPath(), arguments[1]);
        run.requireAll(all);
        List<String> wanted = List.of(arguments).subList(2, arguments.length);
        List<Script> chosen = all.stream()
                .filter(Script::isRun)
                .filter(script -> wanted.isEmpty() || wanted.contains(script.name))
                .toList();
        print(run.outcomes(chosen));
        if (wanted.isEmpty()) {
            printNotRun(all);
        }
    }

    private static List<Script> scripts() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(TlsfuzzerRun.class.getResourceAsStream(SCRIPTS)), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split("\\|", -1))
                    .map(parts -> new Script(parts[0].strip(), parts[1].strip(), parts[2].strip()))
                    .toList();
        }
    }

    private static KeyPair rsaKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails if the checkout has a script that is not in {@link #SCRIPTS}. Such a script would not run, and nobody would notice. */
    private void requireAll(List<Script> known) throws IOException {
        Set<String> unknown = new TreeSet<>();
        try (Stream<Path> files = Files.list(checkout.resolve("scripts"))) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("test-") && name.endsWith(".py"))
                    .forEach(name -> unknown.add(name.substring(0, name.length() - 3)));
        }
        known.forEach(script -> unknown.remove(script.name));
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("not in " + SCRIPTS + ": " + unknown);
        }
    }

    // ---- servers

    private Penstock.Builder server(Issued certificate) throws IOException {
        Path file = folder.resolve(certificate.keys().getPublic().getAlgorithm() + ".pem");
        Files.writeString(file, certificate.pem() + certificate.keyPem());
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("tls-cert", file.toString())
                .context("/", context -> context.servlet("who", new WhoServlet(), "/"));
    }

    private List<Outcome> outcomes(List<Script> scripts) throws Exception {
        Path trust = Files.writeString(folder.resolve("trust.pem"), rsaClient.pem() + ec.pem());
        Files.writeString(folder.resolve("rsa-client.pem"), rsaClient.pem());
        Files.writeString(folder.resolve("rsa-client.key"), rsaClient.keyPem());
        Files.writeString(folder.resolve("ec-client.pem"), ec.pem());
        Files.writeString(folder.resolve("ec-private.key"), ec.keyPem());
        withPublicKey("ec-private.key", "ec-client.key");
        try (Penstock ofRsa = server(rsa).start();
                Penstock ofEc = server(ec).start();
                Penstock wide =
                        server(rsa).set("tls-ciphers", DEFAULT_AND_WEAK_SUITES).start();
                Penstock clients = server(rsa)
                        .set("tls-ciphers", DEFAULT_AND_WEAK_SUITES)
                        .set("tls-client-auth", "want")
                        .set("tls-trust", trust.toString())
                        .start()) {
            Map<String, Penstock> servers = Map.of("rsa", ofRsa, "ec", ofEc, "wide", wide, "clients", clients);
            List<Outcome> outcomes = new ArrayList<>();
            for (Script script : scripts) {
                Penstock server = Objects.requireNonNull(servers.get(script.server), script::toString);
                outcomes.add(outcome(script, summary(script, server.port())));
                System.err.println(outcomes.get(outcomes.size() - 1).row());
            }
            return outcomes;
        }
    }

    /** Uses OpenSSL to add the public key to the file of a private EC key. tlsfuzzer needs the public key, but Java does not write it. */
    private void withPublicKey(String from, String to) throws IOException, InterruptedException {
        Process openssl = new ProcessBuilder("openssl", "ec", "-in", from, "-out", to)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (openssl.waitFor() != 0) {
            throw new IOException("openssl could not convert " + from);
        }
    }

    // ---- one script

    private String summary(Script script, int port) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(python, "scripts/" + script.name + ".py"));
        words.addAll(List.of("-h", "localhost", "-p", String.valueOf(port)));
        for (String word : script.arguments.isEmpty() ? new String[0] : script.arguments.split(" ")) {
            words.addAll(expanded(word));
        }
        Path file = folder.resolve(script.name + ".txt");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .redirectOutput(file.toFile());
        builder.environment().put("PYTHONPATH", checkout.toString());
        Process process = builder.start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private List<String> expanded(String word) {
        return switch (word) {
            case "GCM" -> List.of(GCM);
            case "RSAKEY" -> List.of("-k", folder + "/rsa-client.key", "-c", folder + "/rsa-client.pem");
            case "ECKEY" -> List.of("-k", folder + "/ec-client.key", "-c", folder + "/ec-client.pem");
            default -> List.of(word);
        };
    }

    /** Reads the results from the output of a script. The last exception of a conversation is the reason for its failure. */
    private static Outcome outcome(Script script, String said) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Matcher count = COUNT.matcher(said); count.find(); ) {
            counts.put(count.group(1), Integer.parseInt(count.group(2)));
        }
        int asExpected = counts.getOrDefault("PASS", 0) + counts.getOrDefault("XFAIL", 0);
        int failed = counts.getOrDefault("FAIL", 0) + counts.getOrDefault("XPASS", 0);
        Map<Result, Integer> others = new EnumMap<>(Result.class);
        Set<String> messages = new TreeSet<>();
        String last = null; // the message of the last exception
        for (String line : (said + "\n...").split("\n")) {
            Matcher error = ERROR.matcher(line);
            if (error.matches() || line.equals("AssertionError")) {
                last = error.matches() ? error.group(1) : "";
            } else if (last != null && (line.endsWith(" ...") || line.equals("..."))) {
                Result result = Result.of(last);
                others.merge(result, 1, Integer::sum);
                if (result == Result.OTHERWISE && messages.size() < 3) {
                    messages.add(last.replaceAll("\\d{3,}", "N"));
                }
                last = null;
            }
        }
        if (counts.isEmpty()) {
            messages.add("did not end");
        }
        return new Outcome(script, asExpected + failed, asExpected, others, messages);
    }

    // ---- output

    private static void print(List<Outcome> outcomes) {
        System.out.println(
                outcomes.stream().mapToInt(Outcome::all).sum() + " conversations of " + outcomes.size() + " scripts");
        System.out.println("All as expected: "
                + outcomes.stream()
                        .filter(Outcome::isAsExpected)
                        .map(outcome -> outcome.script.name + " (" + outcome.all + ")")
                        .collect(Collectors.joining(", ")));
        System.out.println("| script | conversations | as expected | "
                + Arrays.stream(Result.values()).map(result -> result.shown).collect(Collectors.joining(" | "))
                + " | messages |");
        outcomes.stream()
                .filter(outcome -> !outcome.isAsExpected())
                .forEach(outcome -> System.out.println(outcome.row()));
    }

    private static void printNotRun(List<Script> all) {
        Map<String, List<String>> byReason = all.stream()
                .filter(script -> !script.isRun())
                .collect(Collectors.groupingBy(
                        Script::arguments, TreeMap::new, Collectors.mapping(Script::name, Collectors.toList())));
        byReason.forEach((reason, names) -> System.out.println("Not run: " + reason + ": " + String.join(", ", names)));
    }
}
