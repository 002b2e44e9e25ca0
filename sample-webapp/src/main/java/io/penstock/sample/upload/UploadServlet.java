package io.penstock.sample.upload;

import io.penstock.sample.page.Html;
import io.penstock.sample.page.Page;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Accepts a form with files, and shows a summary of each part. The servlet itself stores no files. */
@WebServlet("/upload")
@MultipartConfig(
        fileSizeThreshold = UploadServlet.LARGEST_IN_MEMORY,
        maxFileSize = UploadServlet.LARGEST_FILE,
        maxRequestSize = UploadServlet.LARGEST_REQUEST)
public class UploadServlet extends HttpServlet {
    static final int LARGEST_IN_MEMORY = 64 << 10;
    static final long LARGEST_FILE = 10 << 20;
    static final long LARGEST_REQUEST = 12 << 20;

    /** Redirects to the form, which is a static page. */
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.sendRedirect("upload.html");
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        Collection<Part> parts;
        try {
            parts = request.getParts();
        } catch (IllegalStateException tooLarge) {
            response.sendError(
                    HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
                    "A file may have at most 10 MiB, all files together 12 MiB.");
            return;
        }
        List<Html> rows = new ArrayList<>();
        for (Part part : parts) {
            rows.add(row(PartSummary.of(part)));
        }
        show(request, response, rows.stream().collect(Html.joining()));
    }

    private static void show(HttpServletRequest request, HttpServletResponse response, Html rows) throws IOException {
        Page.of(request, "upload.html", "Upload")
                .add("""
                        <h1>What has arrived</h1>
                        <p class="lead">Each field of the form came as a part of its own.</p>
                        <div class="panel scroll"><table id="parts">
                        <thead><tr><th scope="col">Field</th><th scope="col">File name</th><th scope="col">Type</th>
                        <th scope="col" class="number">Size in bytes</th><th scope="col">SHA-256</th></tr></thead>
                        <tbody>%s</tbody></table></div>
                        <p><a class="button" href="upload.html">Send another</a></p>
                        """, rows)
                .shows(explanation(), "upload/UploadServlet.java")
                .send(response);
    }

    private static Html row(PartSummary part) {
        return Html.of("""
                <tr><th scope="row">%s</th><td>%s</td><td>%s</td><td class="number">%s</td>
                <td><code title="%s">%s…</code></td></tr>
                """, part.field(), part.fileName(), part.type(), part.size(), part.sha256(), part.shortSha256());
    }

    private static Html explanation() {
        return new Html("""
                <p><code>@MultipartConfig</code> lets <code>getParts</code> take a <code>multipart/form-data</code> body
                apart. Small parts stay in memory, larger ones go to a temporary file. A request beyond the limits is
                answered with 413. The checksum is computed while the part’s stream is read, piece by piece.</p>
                """);
    }
}
