package io.penstock.deploy.application;

import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

/** A servlet that only users with the role {@code staff} can request. */
@WebServlet(name = "guarded", urlPatterns = "/guarded")
@ServletSecurity(@HttpConstraint(rolesAllowed = "staff"))
public class GuardedServlet extends HttpServlet {}
