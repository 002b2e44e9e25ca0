package io.penstock.deploy.application;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

@WebServlet("/plain")
public class PlainServlet extends HttpServlet {}
