/** The libraries of the bank's server that are slow to load. A spare server process imports them in advance. */
import '@fastify/multipart';
import '@fastify/static';
import 'fastify';
import 'graphile-worker';
import 'jose';
import 'kysely';
import 'nodemailer';
import 'pg';
import 'pino';
import 'postal-mime';
import 'prom-client';
import 'sharp';
import 'smtp-server';
import 'zod/mini';
