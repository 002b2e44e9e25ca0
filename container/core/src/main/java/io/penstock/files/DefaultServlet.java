package io.penstock.files;

import io.penstock.context.MimeTypes;
import io.penstock.context.PrivateFolders;
import io.penstock.context.Resource;
import io.penstock.context.Resources;
import io.penstock.context.WelcomeFiles;
import io.penstock.limits.ApplicationSettings.FileRules;
import io.penstock.limits.Compression;
import io.penstock.limits.OperatorFile;
import io.penstock.limits.Switch;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The default servlet. It serves the files of the application (Servlet 6.1 section 12.2).
 *
 * <p>Thread: several workers at the same time. This object is immutable after its initialisation.
 */
public final class DefaultServlet extends HttpServlet {
    private static final Logger LOG = LoggerFactory.getLogger(DefaultServlet.class);
    private static final String ALLOWED = "GET, HEAD, OPTIONS";

    private final transient Resources resources;
    private final transient Directories directories;
    private final transient Fallback fallback;
    private final transient SmallFiles smallFiles;
    private final transient Negotiation negotiation;
    private final transient @Nullable Charset encoding;
    private final transient MimeTypes types;
    private final transient InstantSource clock;
    private final transient RateLimitedLog warnings = new RateLimitedLog();
    private transient @Nullable FileType type;

    /**
     * @param servlets returns whether the application has mapped a servlet to a path within the context
     * @param encoding the charset of all text files. If null, HTML files declare their own charset, and other text files are in UTF-8
     * @param compression the rules for sending compressed siblings of files, such as {@code app.js.br} beside {@code app.js}
     * @param rules the rules for folders and missing files
     * @param types reports for which files the media type is sent unchanged, without an added charset
     */
    public DefaultServlet(
            Resources resources,
            WelcomeFiles welcomeFiles,
            Predicate<String> servlets,
            SmallFiles smallFiles,
            @Nullable Charset encoding,
            Compression compression,
            FileRules rules,
            MimeTypes types) {
        this(
                resources,
                welcomeFiles,
                servlets,
                smallFiles,
                encoding,
                compression,
                rules,
                types,
                InstantSource.system());
    }

    /** @param clock the clock that determines how long ago a file was changed */
    DefaultServlet(
            Resources resources,
            WelcomeFiles welcomeFiles,
            Predicate<String> servlets,
            SmallFiles smallFiles,
            @Nullable Charset encoding,
            Compression compression,
            FileRules rules,
            MimeTypes types,
            InstantSource clock) {
        this.resources = resources;
        Listing listing = rules.directoryListing() == Switch.ON ? new Listing(resources) : null;
        this.directories = new Directories(resources, welcomeFiles, servlets, listing);
        this.fallback = new Fallback(rules.tryFile());
        this.smallFiles = smallFiles;
        this.negotiation = new Negotiation(new CompressedFiles(resources, Clock.SYSTEM), compression);
        this.encoding = encoding;
        this.types = types;
        this.clock = clock;
    }

    @Override
    public void init() {
        type = new FileType(getServletContext(), types, encoding);
    }

    @Override
    public void destroy() {
        smallFiles.forget(resources);
    }

    /**
     * @throws FileNotFoundException if the file of an include does not exist (Servlet 6.1 section 9.3)
     */
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String path = ServedPath.of(request);
        try {
            try {
                answer(request, response, path, FileAnswer.Attempt.FIRST);
            } catch (FileContent.Replaced meanwhile) {
                answer(request, response, path, FileAnswer.Attempt.LAST);
            }
        } catch (NoSuchFileException goneMeanwhile) {
            answerNothing(request, response, path);
        } catch (AccessDeniedException denied) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        } catch (FileSystemException cannotBeOpened) {
            answerLater(request, response, cannotBeOpened);
        }
    }

    private void answer(
            HttpServletRequest request, HttpServletResponse response, String path, FileAnswer.Attempt attempt)
            throws ServletException, IOException {
        Resource handed = HandedFile.of(request);
        Resource resource = handed == null ? find(request, path) : handed;
        if (resource == null) {
            answerNothing(request, response, path);
        } else if (resource.kind() == Resource.Kind.DIRECTORY) {
            answerDirectory(request, response, path);
        } else {
            boolean asItIs = handed != null || ServedPath.isIncluded(request);
            answerFile(
                    request,
                    response,
                    asItIs ? Representation.plain(resource) : negotiation.choose(request, response, resource),
                    attempt);
        }
    }

    private @Nullable Resource find(HttpServletRequest request, String path) {
        if (request.getDispatcherType() == DispatcherType.REQUEST && PrivateFolders.contain(path)) {
            return null;
        }
        return resources.find(path.isEmpty() ? "/" : path);
    }

    /**
     * Answers 503 if the server cannot open a file, for example because no file descriptor is free or the disk fails. The client and the
     * application have not caused this problem.
     */
    private void answerLater(HttpServletRequest request, HttpServletResponse response, FileSystemException cause)
            throws IOException {
        if (ServedPath.isIncluded(request) || response.isCommitted()) {
            throw cause;
        }
        warnings.warn(LOG, "Files cannot be opened", OperatorFile.explained(cause), cause);
        response.setHeader("Retry-After", "1");
        response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }

    private void answerNothing(HttpServletRequest request, HttpServletResponse response, String path)
            throws ServletException, IOException {
        if (ServedPath.isIncluded(request)) {
            throw new FileNotFoundException(path);
        }
        if (fallback.answer(request, response, path) == Fallback.Outcome.NOT_FOR_THIS) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }

    private void answerDirectory(HttpServletRequest request, HttpServletResponse response, String path)
            throws ServletException, IOException {
        if (directories.answer(request, response, path) == Directories.Outcome.NOTHING_TO_SHOW) {
            answerNothing(request, response, path);
        }
    }

    private void answerFile(
            HttpServletRequest request, HttpServletResponse response, Representation file, FileAnswer.Attempt attempt)
            throws IOException {
        FileAnswer answer = new FileAnswer(
                request, response, file, Objects.requireNonNull(type), smallFiles, clock.instant(), attempt);
        if (ServedPath.isIncluded(request)) {
            answer.include();
            return;
        }
        switch (request.getMethod()) {
            case "GET", "HEAD" -> answer.send();
            case "OPTIONS" -> response.setHeader("Allow", ALLOWED);
            default -> answerOtherMethod(request, response, answer);
        }
    }

    /**
     * Answers methods other than GET, HEAD and OPTIONS. A client must not use such a method for a file. But a servlet may forward a POST
     * request to a file, and an error page can be a file.
     */
    private void answerOtherMethod(HttpServletRequest request, HttpServletResponse response, FileAnswer answer)
            throws IOException {
        if (request.getDispatcherType() == DispatcherType.REQUEST
                || Directories.isWelcome(request, ServedPath.of(request))) {
            response.setHeader("Allow", ALLOWED);
            response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        } else {
            answer.send();
        }
    }
}
