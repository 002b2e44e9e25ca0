package io.penstock.sample;

import io.penstock.sample.clock.Clock;
import io.penstock.sample.guestbook.GuestBook;
import io.penstock.sample.page.Frame;
import io.penstock.sample.slowclients.SlowClients;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Creates the objects that the servlets share, before the first request. Ends these objects after the last request. */
@WebListener
public class SampleLifecycle implements ServletContextListener {

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        try {
            Frame.install(context);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        Clock clock = new Clock();
        Ticker ticker = Ticker.install(context);
        ticker.everySecond(clock::tick);
        context.setAttribute(SlowClients.ATTRIBUTE, new SlowClients(ticker));
        context.setAttribute(Clock.ATTRIBUTE, clock);
        context.setAttribute(GuestBook.ATTRIBUTE, new GuestBook());
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        Ticker.of(context).stop();
        ((SlowClients) context.getAttribute(SlowClients.ATTRIBUTE)).stop();
        ((Clock) context.getAttribute(Clock.ATTRIBUTE)).stop();
    }
}
