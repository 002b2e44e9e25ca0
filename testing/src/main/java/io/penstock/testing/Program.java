package io.penstock.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs that tests use. Each constant has the name of the program's file and of its Debian package. The script {@code .ci/run}
 * installs the packages.
 */
public enum Program {
    APACHE("apache2", "apache2-bin"),
    CC("cc", "build-essential"),
    CHROMEDRIVER("chromedriver", "chromium-driver"),
    CHROMIUM("chromium", "chromium"),
    CURL("curl", "curl"),
    DPKG("dpkg", "dpkg"),
    GIT("git", "git"),
    GPG("gpg", "gnupg"),
    GROFF("groff", "groff-base"),
    H2LOAD("h2load", "nghttp2-client"),
    HAPROXY("haproxy", "haproxy"),
    NGHTTP("nghttp", "nghttp2-client"),
    NGINX("nginx", "nginx"),
    OPENSSL("openssl", "openssl"),
    POSTGRES("postgres", "postgresql"),
    PROMETHEUS("prometheus", "prometheus"),
    PROMTOOL("promtool", "prometheus"),
    REDIS_SERVER("redis-server", "redis-server"),
    SCRIPT("script", "bsdutils"),
    SYSTEMD_ANALYZE("systemd-analyze", "systemd"),
    SYSTEMD_NSPAWN("systemd-nspawn", "systemd-container"),
    SYSTEMD_SOCKET_ACTIVATE("systemd-socket-activate", "systemd"),
    UNSHARE("unshare", "util-linux"),
    WRK("wrk", "wrk");

    /** The system property with the folders to search, instead of the default folders. */
    static final String FOLDERS = "penstock.programs";

    /** The folders of daemons. These folders are usually not on the PATH of a normal user. */
    private static final List<String> DAEMONS = List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

    /** The folder of PostgreSQL on Debian. It contains a folder for each version. */
    private static final Path POSTGRESQL = Path.of("/usr/lib/postgresql");

    private final String file;
    private final String debianPackage;

    Program(String file, String debianPackage) {
        this.file = file;
        this.debianPackage = debianPackage;
    }

    String debianPackage() {
        return debianPackage;
    }

    /**
     * Returns the program's path.
     *
     * @throws IllegalStateException if the program is missing; this does not happen in a test with {@link NeedsProgram}, because such a
     *     test is skipped
     */
    public Path path() {
        return find().orElseThrow(
                        () -> new IllegalStateException(this + " is missing, and @NeedsProgram does not name it"));
    }

    Optional<Path> find() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return find(
                System.getProperty(FOLDERS, path + File.pathSeparator + String.join(File.pathSeparator, daemons())));
    }

    private static List<String> daemons() {
        List<String> folders = new ArrayList<>(DAEMONS);
        if (Files.isDirectory(POSTGRESQL)) {
            try (Stream<Path> versions = Files.list(POSTGRESQL)) {
                versions.map(version -> version.resolve("bin").toString())
                        .sorted(Comparator.reverseOrder())
                        .forEach(folders::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return folders;
    }

    /** @param folders the folders to search, separated as in the PATH */
    Optional<Path> find(String folders) {
        return Stream.of(folders.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, file))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The file name of the program. */
    @Override
    public String toString() {
        return file;
    }
}
