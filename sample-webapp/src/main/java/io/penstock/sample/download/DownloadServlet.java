package io.penstock.sample.download;

import io.penstock.sample.page.Numbers;
import io.penstock.sample.sensor.Signal;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/** Sends a table of measurements line by line. The browser saves the table as a file. */
@WebServlet("/download/readings.csv")
public class DownloadServlet extends HttpServlet {
    private static final int MAX_ROWS = 1_000_000;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int rows = Numbers.parameter(request, "rows", 1000, 1, MAX_ROWS);
        response.setContentType("text/csv;charset=UTF-8");
        response.setHeader("Content-Disposition", "attachment; filename=\"readings.csv\"");
        PrintWriter out = response.getWriter();
        out.print("second,celsius\r\n");
        Signal signal = new Signal(1);
        for (int second = 0; second < rows; second++) {
            out.printf(Locale.ROOT, "%d,%.3f\r\n", second, signal.at(second));
        }
    }
}
