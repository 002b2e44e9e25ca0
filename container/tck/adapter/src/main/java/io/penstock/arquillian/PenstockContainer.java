package io.penstock.arquillian;

import io.penstock.DeployException;
import io.penstock.Penstock;
import io.penstock.StartException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.container.spi.client.container.DeploymentException;
import org.jboss.arquillian.container.spi.client.container.LifecycleException;
import org.jboss.arquillian.container.spi.client.protocol.ProtocolDescription;
import org.jboss.arquillian.container.spi.client.protocol.metadata.HTTPContext;
import org.jboss.arquillian.container.spi.client.protocol.metadata.ProtocolMetaData;
import org.jboss.arquillian.container.spi.client.protocol.metadata.Servlet;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server in the JVM of the tests, with any number of web applications at the same time. The tests run as clients of the server, and not
 * inside the server.
 *
 * <p>Thread: the threads of Arquillian, one at a time. Owns: the server, and the folder with the archives.
 */
public final class PenstockContainer implements DeployableContainer<PenstockConfiguration> {
    private static final Logger log = LoggerFactory.getLogger(PenstockContainer.class);

    private @Nullable PenstockConfiguration configuration;
    private @Nullable Penstock server;
    private @Nullable Path archives;

    @Override
    public Class<PenstockConfiguration> getConfigurationClass() {
        return PenstockConfiguration.class;
    }

    @Override
    public void setup(PenstockConfiguration given) {
        configuration = given;
    }

    @Override
    public void start() throws LifecycleException {
        PenstockConfiguration given = configuration;
        if (given == null) {
            throw new LifecycleException("start before setup");
        }
        try {
            archives = Files.createTempDirectory("penstock-arquillian");
            server = given.server().start();
        } catch (IOException | StartException e) {
            throw new LifecycleException("the server does not start: " + e.getMessage(), e);
        }
    }

    @Override
    public void stop() throws LifecycleException {
        Penstock running = server;
        if (running != null) {
            running.close();
        }
        server = null;
        try {
            deleteArchives();
        } catch (IOException e) {
            throw new LifecycleException("the archives cannot be deleted: " + e.getMessage(), e);
        }
    }

    private void deleteArchives() throws IOException {
        Path folder = archives;
        if (folder == null) {
            return;
        }
        archives = null;
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public ProtocolDescription getDefaultProtocol() {
        return new ProtocolDescription("Local");
    }

    @Override
    public ProtocolMetaData deploy(Archive<?> archive) throws DeploymentException {
        String contextPath = contextPath(archive);
        Path file = file(archive);
        archive.as(ZipExporter.class).exportTo(file.toFile(), true);
        try {
            running().deploy(contextPath, file);
        } catch (DeployException e) {
            if (!given().isIgnoreRefusedArchives()) {
                throw new DeploymentException(e.getMessage(), e);
            }
            log.warn("{} is refused: {}", archive.getName(), e.getMessage());
        }
        HTTPContext where = new HTTPContext(given().getHost(), running().port());
        // Without a servlet, Arquillian finds no URL for the test.
        where.add(new Servlet("default", contextPath));
        return new ProtocolMetaData().addContext(where);
    }

    @Override
    public void undeploy(Archive<?> archive) throws DeploymentException {
        running().undeploy(contextPath(archive));
        try {
            Files.deleteIfExists(file(archive));
        } catch (IOException e) {
            throw new DeploymentException("cannot be deleted: " + e.getMessage(), e);
        }
    }

    /**
     * The context path of an archive: {@code /} and the archive's name without {@code .war}. The context path of {@code ROOT.war} is {@code
     * /}.
     */
    static String contextPath(Archive<?> archive) throws DeploymentException {
        String name = archive.getName();
        if (!name.endsWith(".war")) {
            throw new DeploymentException(name + " is no web application: only .war archives can be deployed");
        }
        String bare = name.substring(0, name.length() - ".war".length());
        return bare.equals("ROOT") ? "/" : "/" + bare;
    }

    private Path file(Archive<?> archive) throws DeploymentException {
        Path folder = archives;
        if (folder == null) {
            throw new DeploymentException("the server has not been started");
        }
        return folder.resolve(archive.getName());
    }

    private Penstock running() throws DeploymentException {
        Penstock started = server;
        if (started == null) {
            throw new DeploymentException("the server has not been started");
        }
        return started;
    }

    private PenstockConfiguration given() throws DeploymentException {
        PenstockConfiguration known = configuration;
        if (known == null) {
            throw new DeploymentException("the server has not been configured");
        }
        return known;
    }
}
